/**
 * The number of an event that a device settles. It is derived from the number of the message in the journal, so a
 * restart of the network does not change it.
 */
const OFFSET = { inbound: 0, delivered: 1, read: 2 } as const;

export function eventNumber(entryNumber: number, what: keyof typeof OFFSET): number {
  return entryNumber * 4 + OFFSET[what];
}
