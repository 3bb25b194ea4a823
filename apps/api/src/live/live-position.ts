/** A place in what happened, as an event's id: milliseconds of the database's clock and the highest sequence number. */
import type { LivePosition } from '@kurir/database';

export const idOf = ({ at, seq }: LivePosition): string => `${at.getTime()}-${seq}`;

const pattern = /^([0-9]{13})-([0-9]{1,18})$/;

/** Null for what is no id of ours. */
export function positionOf(id: string | null): LivePosition | null {
  const [, at, seq] = pattern.exec(id ?? '') ?? [];
  return at === undefined || seq === undefined ? null : { at: new Date(Number(at)), seq: BigInt(seq) };
}

/** So much before: what was written then may have become visible only now. Sequence numbers are drawn before a commit. */
export const before = ({ at, seq }: LivePosition, ms: number): LivePosition => ({
  at: new Date(at.getTime() - ms),
  seq,
});
