/** Checks the words and replies of the form by the rules of the gateway, and gives the sentence of the first mistake. */
import { limits, plainWord } from '@kurir/contracts/dashboard';

export type OptOutDraft = {
  readonly stopWords: string;
  readonly startWords: string;
  readonly stopReply: string;
  readonly startReply: string;
};

export type Sentences = {
  readonly tooMany: string;
  readonly none: string;
  readonly replyTooLong: string;
  readonly tooLong: (word: string) => string;
  readonly noLetter: (word: string) => string;
  readonly both: (word: string) => string;
};

const wordMaxLength = 30;

export const wordsOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function mistakeOf(words: readonly string[], t: Sentences): string | undefined {
  if (words.length === 0) return t.none;
  if (words.length > limits.optOutWordsMax) return t.tooMany;
  const long = words.find((word) => word.length > wordMaxLength);
  if (long !== undefined) return t.tooLong(long);
  const empty = words.find((word) => plainWord(word) === '');
  return empty === undefined ? undefined : t.noLetter(empty);
}

const replyMistake = (reply: string, t: Sentences) =>
  [...reply].length > limits.optOutReplyMaxCodePoints ? t.replyTooLong : undefined;

/** Empty: the gateway takes it. */
export function mistakesOf(
  draft: OptOutDraft,
  t: Sentences,
): { readonly [F in keyof OptOutDraft]?: string | undefined } {
  const [stop, start] = [wordsOf(draft.stopWords), wordsOf(draft.startWords)];
  const stopped = new Set(stop.map(plainWord));
  const both = start.find((word) => stopped.has(plainWord(word)));
  return {
    stopWords: mistakeOf(stop, t),
    startWords: mistakeOf(start, t) ?? (both === undefined ? undefined : t.both(both)),
    stopReply: replyMistake(draft.stopReply, t),
    startReply: replyMistake(draft.startReply, t),
  };
}
