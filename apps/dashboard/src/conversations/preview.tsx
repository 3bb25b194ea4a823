import { useTexts } from '../i18n/texts.js';
import { chatTexts } from './chat-texts.js';
import { StatusMark } from './status-mark.js';
import type { Entry } from './conversation-queries.js';
import { previewOf } from './preview-of.js';

/** One line of the newest message: its writer, its text or kind, and its status if it is ours. */
export function Preview({ entry }: { entry: Entry }) {
  const t = useTexts(chatTexts);
  return (
    <span className="flex min-w-0 items-center gap-1 text-sm text-ink-soft">
      {entry.status !== null && <StatusMark status={entry.status} />}
      <span className="truncate">{previewOf(entry, t)}</span>
    </span>
  );
}
