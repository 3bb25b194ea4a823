/**
 * One suite for every driver. A driver's test file starts its network through a harness and calls
 * `describeDriverConformance` once; every case runs on a network of its own and closes what it opened.
 * Imports vitest, so that only tests may import this.
 */
import { describe } from 'vitest';
import { describeEnding } from './conformance/ending-cases.js';
import type { DriverHarness } from './conformance/harness.js';
import { describeLinking } from './conformance/linking-cases.js';
import { describeReceiving } from './conformance/receiving-cases.js';
import { describeSending } from './conformance/sending-cases.js';

export type { ConformanceFault, ConformanceNetwork, DriverHarness, StartOptions } from './conformance/harness.js';
export { MemoryCredentials } from './conformance/memory-credentials.js';
export { waitUntil } from './conformance/wait-until.js';

export function describeDriverConformance(name: string, harness: DriverHarness): void {
  describe(`the ${name} driver`, () => {
    describeSending(harness);
    describeReceiving(harness);
    describeEnding(harness);
    describeLinking(harness);
  });
}
