import { clsx } from 'clsx';
import { formatClock, formatExactMoment, shortenId } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Person } from '../../people/person.js';
import { Badge } from '../../ui/badge.js';
import { reasonSentence, reasonTexts } from '../reasons.js';
import type { Message } from '../status.js';
import { StatusBadge } from '../status-badge.js';

/** The columns of a wide screen: status, number, reference and reason, device, time. */
export const rowColumns = 'sm:grid-cols-[9rem_12rem_minmax(0,1fr)_8rem_4rem] sm:gap-x-4';

type MessageRowProps = {
  message: Message;
  isOpen: boolean;
  /** Undefined: the device is gone, or not read yet. */
  device: string | undefined;
  broadcast: string | undefined;
  onOpen: (jobId: string) => void;
};

export function MessageRow({ message, isOpen, device, broadcast, onOpen }: MessageRowProps) {
  const language = useLanguage();
  const { job_id: id, client_ref: ref, broadcast_id: broadcastId, created_at: at, priority } = message;
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className={clsx(
        'grid w-full grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-5 py-3 text-left text-sm -outline-offset-2 hover:bg-sunken',
        rowColumns,
        isOpen && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <span className="max-sm:order-3">
        <StatusBadge status={message.status} />
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium tabular max-sm:order-1">
        <Person phone={message.phone_destination} />
        {priority === 'otp' && <Badge tone="accent">OTP</Badge>}
      </span>
      <span className="flex min-w-0 flex-col gap-0.5 max-sm:order-5 max-sm:col-span-2 max-sm:empty:hidden">
        {broadcastId !== null && <span className="truncate">{broadcast ?? shortenId(broadcastId)}</span>}
        {ref !== null && <span className="truncate font-mono text-xs text-ink-faint">{ref}</span>}
        <Reason reason={message.reason} />
      </span>
      <span className="truncate text-ink-soft max-sm:order-4 max-sm:text-right max-sm:text-xs">{device}</span>
      <time
        dateTime={at}
        title={formatExactMoment(at, language)}
        className="text-right text-xs whitespace-nowrap text-ink-faint tabular max-sm:order-2"
      >
        {formatClock(at, language)}
      </time>
    </button>
  );
}

/** Says in the language of the page why the message failed or waits. */
function Reason({ reason }: { reason: string | null }) {
  const sentences = useTexts(reasonTexts);
  if (reason === null) return null;
  return <span className="text-xs text-ink-soft">{reasonSentence(reason, sentences)}</span>;
}
