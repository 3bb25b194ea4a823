import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { formatMoment } from '../format/format.js';
import { useCall } from '../http/use-call.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Moment } from '../ui/moment.js';
import { Tooltip } from '../ui/overlays/tooltip.js';
import { placeOf } from './place-of.js';
import { noticeTexts } from './texts.js';

export type ShownNotice = DashboardData<'listNotices'>['notices'][number];

const nameOf = ({ kind, name, subject }: ShownNotice, gone: string): string =>
  name ?? (kind.startsWith('device.') ? gone : subject);

export function NoticeItem({ notice, onGo }: { notice: ShownNotice; onGo?: (() => void) | undefined }) {
  const t = useTexts(noticeTexts);
  const language = useLanguage();
  const mark = useCall('readNotices', ['listNotices']);
  const { kind, at, read, state, until } = notice;
  const place = placeOf(notice);
  const sentence = t.happened[kind](nameOf(notice, t.gone), state ?? '');
  const markRead = () => mark.mutate({ body: { notice_id: notice.notice_id } });
  const go = () => {
    if (!read) markRead();
    onGo?.();
  };
  return (
    <li className="flex items-start gap-3 border-b border-line px-5 py-3 last:border-b-0">
      <span aria-hidden className={clsx('mt-2 size-2 shrink-0 rounded-full', read ? 'bg-transparent' : 'bg-accent')} />
      <div className="min-w-0 flex-1">
        <p className={clsx('text-sm break-words', !read && 'font-medium')}>
          {!read && <span className="sr-only">{`${t.unread}: `}</span>}
          {place === null ? (
            sentence
          ) : (
            <Link {...place} onClick={go} className="underline-offset-4 hover:underline">
              {sentence}
            </Link>
          )}
        </p>
        <p className="mt-0.5 text-xs text-ink-faint">
          <Moment at={at} />
          {until !== null && kind !== 'quota.low' && kind !== 'quota.exhausted' && (
            <span>{`, ${t.until(formatMoment(until, language))}`}</span>
          )}
        </p>
      </div>
      {!read && (
        <Tooltip text={t.markRead}>
          <Button
            look="quiet"
            size="icon"
            aria-label={`${t.markRead}: ${sentence}`}
            busy={mark.isPending}
            onClick={markRead}
          >
            <Check aria-hidden className="size-4" />
          </Button>
        </Tooltip>
      )}
    </li>
  );
}
