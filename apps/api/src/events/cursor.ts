/** The place of a reader in the feed, as text: a position in the log and the time until which the reader has seen it. */
import { type EventPosition, nameOfPosition, parsePosition } from '@kurir/database';

export type Cursor = { readonly position: EventPosition; readonly at: Date };

export const nameOfCursor = ({ position, at }: Cursor): string =>
  `${nameOfPosition(position)}-${at.getTime().toString(36)}`;

const cursorPattern = /^(?<place>[0-9a-z-]+)-(?<time>[0-9a-z]{1,9})$/;

/** Returns null if the text is not a cursor. */
export function parseCursor(text: string): Cursor | null {
  const { place, time } = cursorPattern.exec(text)?.groups ?? {};
  const position = place === undefined ? null : parsePosition(place);
  return position === null || time === undefined ? null : { position, at: new Date(Number.parseInt(time, 36)) };
}
