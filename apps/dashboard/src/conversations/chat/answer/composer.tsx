import { limits } from '@kurir/contracts/dashboard';
import { SendHorizontal, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextArea } from '../../../form/input.js';
import { formatCount } from '../../../format/format.js';
import { useLanguage } from '../../../i18n/language.js';
import { useTexts } from '../../../i18n/texts.js';
import { Button } from '../../../ui/button.js';
import type { Conversation, Entry } from '../../conversation-queries.js';
import { Quote } from '../lines/quote.js';
import { chatTexts } from '../../chat-texts.js';
import { useTypist } from './use-typist.js';

/** The texts that somebody has begun to write, by conversation, until the page is closed. */
const drafts = new Map<string, string>();

/** A finger has no Shift, so Enter begins a new line there, and a button sends. */
const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches;

/** Says how long the text is, if the gateway would refuse it. */
function useTooLong(text: string): string | null {
  const t = useTexts(chatTexts);
  const language = useLanguage();
  const most = limits.messageMaxCodePoints;
  if (text.length <= most) return null;
  const count = [...text].length;
  return count <= most ? null : t.tooLong(formatCount(count, language), formatCount(most, language));
}

type ComposerProps = {
  conversation: Conversation;
  replyTo: Entry | null;
  onSend: (text: string) => void;
  onNoReply: () => void;
};

export function Composer({ conversation, replyTo, onSend, onNoReply }: ComposerProps) {
  const t = useTexts(chatTexts);
  const { conversation_id: id } = conversation;
  const [text, setText] = useState(drafts.get(id) ?? '');
  const tooLong = useTooLong(text);
  const maySend = text.trim() !== '' && tooLong === null;
  const typist = useTypist(conversation);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (replyTo !== null) field.current?.focus();
  }, [replyTo]);

  function write(next: string): void {
    setText(next);
    drafts.set(id, next);
    if (next === '') typist.stop();
    else typist.typed();
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (!maySend) return;
    onSend(text);
    typist.sent();
    setText('');
    drafts.delete(id);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && replyTo !== null) onNoReply();
    // An input method uses Enter to choose a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard()) return;
    event.preventDefault();
    submit();
  }

  return (
    <form className="flex flex-col gap-2" onSubmit={submit}>
      {replyTo !== null && <ReplyTo entry={replyTo} onEnd={onNoReply} />}
      {tooLong !== null && (
        <p role="alert" className="text-sm text-bad">
          {tooLong}
        </p>
      )}
      <div className="flex items-end gap-2">
        <TextArea
          ref={field}
          rows={1}
          dir="auto"
          aria-label={t.write}
          aria-invalid={tooLong !== null}
          placeholder={t.write}
          className="field-sizing-content max-h-40 min-h-11 resize-none"
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => typist.stop()}
        />
        <Button type="submit" look="primary" size="large" aria-label={t.send} disabled={!maySend}>
          <SendHorizontal aria-hidden className="size-5" />
        </Button>
      </div>
    </form>
  );
}

function ReplyTo({ entry, onEnd }: { entry: Entry; onEnd: () => void }) {
  const t = useTexts(chatTexts);
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-xs text-ink-soft">{t.replyTo}</p>
        <Quote text={entry.text} />
      </div>
      <Button look="quiet" size="icon" aria-label={t.noReply} onClick={onEnd}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
