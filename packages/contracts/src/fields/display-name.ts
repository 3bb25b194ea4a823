import { brokenRule } from '../http/field-rules.js';
import { isStorableText } from './storable-text.js';

/** Control characters, line ends, and the invisible characters that turn the direction of text. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** A mail program makes a link of these. */
const address = /:\/\/|www\.|@/i;

/** True for a name that can stand in a mail of ours: one line, no address that a reader could follow. */
export function isDisplayName(text: string): boolean {
  return isStorableText(text) && !hidden.test(text) && !address.test(text);
}

export const notADisplayName = {
  message: 'must be one line of text without an address',
  params: brokenRule('characters'),
};
