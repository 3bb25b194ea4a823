/**
 * How people opt out of marketing, and in again: they write one of these words and nothing else. A word inside a sentence
 * means nothing, because "stop" may be part of any message.
 */

export type OptOutSettings = {
  readonly stopWords: readonly string[];
  readonly startWords: readonly string[];
  /** The reply to a person who opted out, or in. Null: none. */
  readonly stopReply: string | null;
  readonly startReply: string | null;
};

const words = {
  stopWords: ['STOP', 'UNSUBSCRIBE', 'BERHENTI', 'KELUAR', 'STOP PROMO'],
  startWords: ['START', 'MULAI'],
} as const;

const indonesian: OptOutSettings = {
  ...words,
  stopReply: 'Anda tidak akan menerima promosi dari kami lagi. Balas MULAI untuk menerimanya kembali.',
  startReply: 'Anda akan menerima promosi dari kami lagi. Balas BERHENTI untuk berhenti.',
};

const english: OptOutSettings = {
  ...words,
  stopReply: 'You will get no more promotions from us. Reply START to get them again.',
  startReply: 'You will get promotions from us again. Reply STOP to end them.',
};

/** The words and replies of an account that has no own ones. `country` is a code of ISO 3166. */
export const usualOptOut = (country: string): OptOutSettings => (country === 'ID' ? indonesian : english);

export const optOutWordMaxLength = 30;

/** Case, punctuation, emoji and repeated spaces do not count. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export type OptOutWish = 'stop' | 'start';

/** Null: the text is no such word. A word in both lists opts out. */
export function optOutWishOf(text: string, { stopWords, startWords }: OptOutSettings): OptOutWish | null {
  if (text.length > 4 * optOutWordMaxLength) return null;
  const word = plainWord(text);
  if (word === '') return null;
  if (stopWords.some((stop) => plainWord(stop) === word)) return 'stop';
  return startWords.some((start) => plainWord(start) === word) ? 'start' : null;
}
