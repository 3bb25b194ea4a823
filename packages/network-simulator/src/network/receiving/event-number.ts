/**
 * The number of an event that a device settles. It follows from the journal's number of the message, so that it is
 * the same before and after a restart of the network.
 */
const OFFSET = { inbound: 0, delivered: 1, read: 2 } as const;

export function eventNumber(entryNumber: number, what: keyof typeof OFFSET): number {
  return entryNumber * 4 + OFFSET[what];
}
