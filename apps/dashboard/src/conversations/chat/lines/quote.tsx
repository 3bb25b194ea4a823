import { useTexts } from '../../../i18n/texts.js';
import { chatTexts } from '../../chat-texts.js';

/** The beginning of a message that another one replies to. */
export function Quote({ text }: { text: string | null }) {
  const t = useTexts(chatTexts);
  return (
    <p dir="auto" className="line-clamp-2 border-l-2 border-accent pl-2 text-sm break-words text-ink-soft">
      {text ?? t.erased}
    </p>
  );
}
