import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Megaphone, Reply } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatClock, formatMoment } from '../../../format/format.js';
import { formatPhone } from '../../../format/phone.js';
import { useLanguage } from '../../../i18n/language.js';
import { useTexts } from '../../../i18n/texts.js';
import { reasonSentence, reasonTexts } from '../../../messages/reasons.js';
import { Button } from '../../../ui/button.js';
import type { Entry } from '../../conversation-queries.js';
import { conversationTexts } from '../../texts.js';
import { isAnswerable, type Pending, type Sends, type ShownEntry } from './chat-lines.js';
import { EntryBody } from './entry-body.js';
import { NotSent } from './not-sent.js';
import { Quote } from './quote.js';
import { StatusMark } from '../../status-mark.js';
import { chatTexts } from '../../chat-texts.js';

type FrameProps = { isOwn: boolean; beside?: ReactNode; children: ReactNode };

function Frame({ isOwn, beside, children }: FrameProps) {
  const t = useTexts(chatTexts);
  return (
    <li className={clsx('group flex items-center gap-1', isOwn && 'flex-row-reverse')}>
      <div
        className={clsx(
          'flex max-w-[85%] min-w-0 flex-col gap-1 rounded-xl border px-3.5 py-2 sm:max-w-[70%]',
          isOwn ? 'border-transparent bg-accent-soft' : 'border-line bg-surface',
        )}
      >
        <span className="sr-only">{`${isOwn ? t.you : t.them}:`}</span>
        {children}
      </div>
      {beside}
    </li>
  );
}

type BubbleProps = { shown: ShownEntry; isGroup: boolean; onReply: ((entry: Entry) => void) | null };

export function Bubble({ shown, isGroup, onReply }: BubbleProps) {
  const t = useTexts(chatTexts);
  const { entry } = shown;
  const isOwn = entry.direction === 'outbound';
  const mayReply = onReply !== null && isAnswerable(shown);
  return (
    <Frame
      isOwn={isOwn}
      beside={
        mayReply && (
          <Button
            look="quiet"
            size="icon"
            aria-label={t.reply}
            className="size-11 sm:size-11 sm:opacity-0 sm:group-focus-within:opacity-100 sm:group-hover:opacity-100"
            onClick={() => onReply(entry)}
          >
            <Reply aria-hidden className="size-4" />
          </Button>
        )
      }
    >
      {isGroup && !isOwn && <Writer from={entry.from} />}
      {entry.broadcast !== null && <FromBroadcast broadcast={entry.broadcast} />}
      {entry.forwarded && <span className="text-xs text-ink-soft">{t.forwarded}</span>}
      {entry.reply_to !== null && <Quote text={entry.reply_to.text} />}
      <EntryBody shown={shown} />
      <Facts shown={shown} />
      {entry.reason !== null && <Reason reason={entry.reason} />}
    </Frame>
  );
}

function Writer({ from }: Pick<Entry, 'from'>) {
  const t = useTexts(conversationTexts);
  const name = from?.name ?? (from?.phone ? formatPhone(from.phone) : t.nobody);
  return <span className="text-xs font-medium text-accent">{name}</span>;
}

function FromBroadcast({
  broadcast: { broadcast_id: broadcastId, name },
}: {
  broadcast: NonNullable<Entry['broadcast']>;
}) {
  const t = useTexts(chatTexts);
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-xs text-ink-soft">
      <Megaphone aria-hidden className="size-3.5 shrink-0" />
      {name === null ? (
        t.broadcast
      ) : (
        <Link
          to="/broadcasts/$broadcastId"
          params={{ broadcastId }}
          className="-my-3 min-w-0 truncate py-3 hover:underline"
        >
          {`${t.broadcast}: ${name}`}
        </Link>
      )}
    </span>
  );
}

function Reason({ reason }: { reason: string }) {
  const sentences = useTexts(reasonTexts);
  return <p className="text-xs text-ink-soft">{reasonSentence(reason, sentences)}</p>;
}

/** The line below the text: reactions, time and status. */
function Facts({ shown: { entry, isEdited, isLate, reactions } }: { shown: ShownEntry }) {
  const t = useTexts(chatTexts);
  const language = useLanguage();
  const { at, direction, job_id: jobId, status } = entry;
  const time = <time dateTime={at}>{(isLate ? formatMoment : formatClock)(at, language)}</time>;
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-xs text-ink-soft">
      {reactions.length > 0 && (
        <span className="text-sm" role="img" aria-label={t.reacted(reactions.join(' '))}>
          {reactions.join('')}
        </span>
      )}
      {isEdited && <span>{t.edited}</span>}
      {direction === 'outbound' && jobId === null && <span>{t.fromPhone}</span>}
      {jobId === null ? (
        time
      ) : (
        <Link
          to="/messages"
          search={{ job: jobId }}
          title={t.job}
          className="-my-3.5 inline-flex py-3.5 hover:underline"
        >
          {time}
          <span className="sr-only">{`, ${t.job}`}</span>
        </Link>
      )}
      {status !== null && <StatusMark status={status} />}
    </div>
  );
}

type PendingProps = { pending: Pending; sends: Sends; deviceId: string };

/** A message that the gateway has not listed yet. */
export function PendingBubble({ pending, sends, deviceId }: PendingProps) {
  const t = useTexts(chatTexts);
  const { text, replyTo, failure } = pending;
  return (
    <>
      <Frame isOwn>
        {replyTo !== null && <Quote text={replyTo.text} />}
        <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
        <span className="text-xs text-ink-soft">{failure === null ? <StatusMark status="queued" /> : t.notSent}</span>
      </Frame>
      {failure !== null && (
        <li className="flex flex-col items-end gap-2">
          <NotSent failure={failure} deviceId={deviceId} />
          <div className="flex gap-2">
            <Button size="small" onClick={() => sends.again(pending)}>
              {t.again}
            </Button>
            <Button size="small" look="quiet" onClick={() => sends.discard(pending)}>
              {t.discard}
            </Button>
          </div>
        </li>
      )}
    </>
  );
}
