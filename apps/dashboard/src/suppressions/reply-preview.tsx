import { clsx } from 'clsx';
import { useTexts } from '../i18n/texts.js';
import { optOutTexts } from './texts.js';

/** A word that the person writes, and the reply. */
type Turn = { readonly word: string; readonly reply: string };

/** The chat as it looks on the phone of the person, whose own words stand at the right. */
export function ReplyPreview({ turns }: { turns: readonly Turn[] }) {
  const t = useTexts(optOutTexts);
  return (
    <ol className="flex flex-col gap-1.5 rounded-b-lg bg-sunken p-5">
      {turns.flatMap(({ word, reply }, i) => [
        <Bubble key={`word ${i}`} text={word} isMine />,
        <Bubble key={`reply ${i}`} text={reply} nothing={t.noReply} />,
      ])}
    </ol>
  );
}

type BubbleProps = { text: string; isMine?: boolean; nothing?: string };

function Bubble({ text, isMine = false, nothing }: BubbleProps) {
  if (text === '') return nothing === undefined ? null : <li className="text-xs text-ink-soft">{nothing}</li>;
  return (
    <li
      className={clsx(
        'max-w-[84%] rounded-xl px-3 py-1.5 text-sm break-words whitespace-pre-wrap shadow-lift',
        isMine ? 'self-end rounded-br-sm bg-accent-soft' : 'self-start rounded-bl-sm bg-surface',
      )}
    >
      {text}
    </li>
  );
}
