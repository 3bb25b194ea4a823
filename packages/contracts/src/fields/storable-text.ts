const loneSurrogate = /\p{Surrogate}/u;

/** Postgres takes it and gives it back unchanged. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !loneSurrogate.test(text);
}

export const notStorable = 'must not hold U+0000 or lone surrogates';
