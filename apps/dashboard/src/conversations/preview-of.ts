import type { chatTexts } from './chat-texts.js';
import type { Entry } from './conversation-queries.js';

type Words = (typeof chatTexts)['en'];

function contentOf({ kind, type, text, emoji, priority, raw_type: rawType }: Entry, t: Words): string {
  if (kind === 'undecryptable') return t.undecryptable;
  if (kind === 'deleted') return t.removed;
  if (kind === 'reaction') return emoji === null ? t.tookBack : t.reacted(emoji);
  if (text !== null) return text;
  if (priority === 'otp') return t.code;
  if (type === 'unsupported') return t.unsupported(rawType ?? '?');
  return type === null || type === 'text' ? t.erased : t.types[type];
}

/** The message in one line. `t` are the words of the page. */
export const previewOf = (entry: Entry, t: Words): string =>
  entry.direction === 'outbound' ? `${t.you}: ${contentOf(entry, t)}` : contentOf(entry, t);
