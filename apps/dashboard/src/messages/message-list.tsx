import { clsx } from 'clsx';
import { useRef } from 'react';
import { formatPhone } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Moment } from '../ui/moment.js';
import type { Message } from './status.js';
import { StatusBadge } from './status-badge.js';
import { messageTexts } from './texts.js';
import { useRowKeys } from './use-row-keys.js';

type MessageListProps = { rows: readonly Message[]; openId: string | undefined; onOpen: (jobId: string) => void };

export function MessageList({ rows, openId, onOpen }: MessageListProps) {
  const t = useTexts(messageTexts);
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  return (
    <ul ref={list} aria-label={t.list}>
      {rows.map((message) => (
        <li key={message.job_id} className="border-b border-line last:border-0">
          <button
            type="button"
            onClick={() => onOpen(message.job_id)}
            className={clsx(
              'grid w-full grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 px-5 py-3 text-left text-sm sm:flex -outline-offset-2 hover:bg-sunken sm:gap-4',
              openId === message.job_id && 'bg-accent-soft hover:bg-accent-soft',
            )}
          >
            <span className="col-start-1 row-start-2 sm:w-36 sm:shrink-0">
              <StatusBadge status={message.status} />
            </span>
            <span className="col-start-1 row-start-1 min-w-0 truncate font-medium tabular sm:basis-48">
              {formatPhone(message.phone_destination)}
            </span>
            <span className="hidden min-w-0 flex-1 truncate font-mono text-xs text-ink-faint sm:block">
              {message.client_ref}
            </span>
            <span className="col-start-2 row-start-1 flex shrink-0 justify-end sm:w-16">
              {message.priority !== 'normal' && (
                <Badge tone={message.priority === 'otp' ? 'accent' : 'neutral'}>{message.priority.toUpperCase()}</Badge>
              )}
            </span>
            <span className="col-start-3 row-start-1 w-20 shrink-0 text-right text-xs text-ink-faint sm:w-24">
              <Moment at={message.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
