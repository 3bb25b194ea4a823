/**
 * Values of a message as the database can hold them. People's clients may write anything: endless texts, half
 * characters, numbers of any size.
 */
import { toNumber } from 'baileys';

/** WhatsApp's own clients let nobody write more. */
export const LONGEST_TEXT = 65_536;
/** Names, types of files and the like. */
export const LONGEST_WORD = 512;

export type Whole = Parameters<typeof toNumber>[0];

const LARGEST_INTEGER = 2_147_483_647;

/**
 * At most `maxLength` UTF-16 units. Null: no text, or an empty one. Postgres refuses the character NUL and half
 * characters.
 */
export function plainText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  return Buffer.from(value.slice(0, maxLength).replaceAll('\0', '')).toString() || null;
}

/** A whole number of protobuf, which may be a `Long`. Null: none, a negative one or one above `max`. */
export function wholeNumber(value: Whole, max: number = LARGEST_INTEGER): number | null {
  const number = value === null || value === undefined ? Number.NaN : toNumber(value);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : null;
}

/** Null when it is not within the limits, which `NaN` never is. */
export function coordinate(value: unknown, limit: number): number | null {
  return typeof value === 'number' && Math.abs(value) <= limit ? value : null;
}
