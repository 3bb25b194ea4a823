import { brokenRule } from '../http/field-rules.js';

const loneSurrogate = /\p{Surrogate}/u;

/** True if Postgres can store the text and return it unchanged. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !loneSurrogate.test(text);
}

export const notStorable = {
  message: 'must not hold U+0000 or lone surrogates',
  params: brokenRule('characters'),
};
