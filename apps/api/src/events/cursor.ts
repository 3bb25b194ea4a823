/**
 * The place of a reader in the feed, as text: a position in the log, and the time until which the reader has seen it.
 *
 * A restored log still has events of earlier generations. It may lack a place that was read before the restore. So a
 * cursor also has the generation in which it was read, if that is later than the position's own.
 */
import { type EventPosition, nameOfPosition, parsePart, parsePosition } from '@kurir/database';

export type Cursor = { readonly position: EventPosition; readonly at: Date; readonly readIn: bigint };

export function nameOfCursor({ position, at, readIn }: Cursor): string {
  const later = readIn === position.generation ? '' : `-${readIn.toString(36)}`;
  return `${nameOfPosition(position)}-${at.getTime().toString(36)}${later}`;
}

const part = '[0-9a-z]{1,13}';
const cursorPattern = new RegExp(`^(?<place>${part}-${part}-${part})-(?<time>[0-9a-z]{1,9})(?:-(?<readIn>${part}))?$`);

/** Returns null if the text is not a cursor. */
export function parseCursor(text: string): Cursor | null {
  const { place, time, readIn } = cursorPattern.exec(text)?.groups ?? {};
  const position = place === undefined ? null : parsePosition(place);
  if (position === null || time === undefined) return null;
  const generation = readIn === undefined ? position.generation : parsePart(readIn);
  return generation === null ? null : { position, at: new Date(Number.parseInt(time, 36)), readIn: generation };
}
