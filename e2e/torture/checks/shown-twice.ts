/**
 * Shown twice: the phone shows one message more than once, with equal or different ids. Frames that the network dropped
 * do not count.
 */
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';

export function findShownTwice(messages: readonly Seen[]): Finding[] {
  return messages.flatMap(({ ref, shown }) =>
    shown.length < 2
      ? []
      : [finding('shown_twice', `${ref} as ${shown.map((frame) => frame.networkMessageId).join(', ')}`)],
  );
}
