/** Shown twice: the phone shows one message more than once, under whatever ids. What the network dropped is no matter. */
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';

export function findShownTwice(messages: readonly Seen[]): Finding[] {
  return messages.flatMap(({ ref, shown }) =>
    shown.length < 2
      ? []
      : [finding('shown_twice', `${ref} as ${shown.map((frame) => frame.networkMessageId).join(', ')}`)],
  );
}
