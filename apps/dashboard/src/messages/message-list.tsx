import { clsx } from 'clsx';
import { useRef } from 'react';
import { formatPhone } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Moment } from '../ui/moment.js';
import type { Job } from './status.js';
import { StatusBadge } from './status-badge.js';
import { messageTexts } from './texts.js';
import { useRowKeys } from './use-row-keys.js';

type MessageListProps = { rows: readonly Job[]; openId: string | undefined; onOpen: (jobId: string) => void };

export function MessageList({ rows, openId, onOpen }: MessageListProps) {
  const t = useTexts(messageTexts);
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  return (
    <ul ref={list} aria-label={t.list}>
      {rows.map((job) => (
        <li key={job.job_id} className="border-b border-line last:border-0">
          <button
            type="button"
            onClick={() => onOpen(job.job_id)}
            className={clsx(
              'flex w-full items-center gap-3 px-5 py-3 text-left text-sm -outline-offset-2 hover:bg-sunken sm:gap-4',
              openId === job.job_id && 'bg-accent-soft hover:bg-accent-soft',
            )}
          >
            <span className="min-w-0 flex-1 sm:order-2 sm:flex-none sm:basis-48">
              <span className="block truncate font-medium tabular">{formatPhone(job.phone_destination)}</span>
              <span className="mt-1 block sm:hidden">
                <StatusBadge status={job.status} />
              </span>
            </span>
            <span className="hidden w-36 shrink-0 sm:order-1 sm:block">
              <StatusBadge status={job.status} />
            </span>
            <span className="hidden min-w-0 flex-1 truncate font-mono text-xs text-ink-faint sm:order-3 sm:block">
              {job.client_ref}
            </span>
            <span className="flex w-16 shrink-0 justify-end sm:order-4">
              {job.priority !== 'normal' && (
                <Badge tone={job.priority === 'otp' ? 'accent' : 'neutral'}>{job.priority.toUpperCase()}</Badge>
              )}
            </span>
            <span className="w-20 shrink-0 text-right text-xs text-ink-faint sm:order-5 sm:w-24">
              <Moment at={job.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
