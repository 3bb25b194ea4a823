/**
 * One suite for every driver. The test file of a driver passes a harness, which starts its network, to
 * `describeDriverConformance`. Every case runs on its own network and closes all that it opened. Imports vitest, so
 * only tests may import it.
 */
import { describe } from 'vitest';
import { describeEnding } from './conformance/ending-cases.js';
import type { DriverHarness } from './conformance/harness.js';
import { describeLinking } from './conformance/linking-cases.js';
import { describeReceiving } from './conformance/receiving-cases.js';
import { describeSending } from './conformance/sending-cases.js';

export type {
  ConformanceFault,
  ConformanceLetter,
  ConformanceLetters,
  ConformanceNetwork,
  DriverHarness,
  StartOptions,
} from './conformance/harness.js';
export { MemoryCredentials } from './conformance/memory-credentials.js';
export { waitUntil } from './conformance/wait-until.js';
export { writtenText } from './conformance/written-text.js';

export function describeDriverConformance(name: string, harness: DriverHarness): void {
  describe(`the ${name} driver`, () => {
    describeSending(harness);
    describeReceiving(harness);
    describeEnding(harness);
    describeLinking(harness);
  });
}
