import type { DashboardData } from '@kurir/contracts/dashboard';
import { formatCount, formatExactMoment, formatMomentWithSeconds, formatSpan, shortenId } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { CopyButton } from '../ui/copy-button.js';
import type { Column } from '../ui/tables/columns.js';
import { requestTexts } from './texts.js';

export type KeyRequest = DashboardData<'listRequests'>['requests'][number];

const counts = ({ not_recorded: notRecorded }: KeyRequest) => notRecorded > 0;

/** The pattern of the path, and the refusal below it. */
function What(row: KeyRequest) {
  const t = useTexts(requestTexts);
  const language = useLanguage();
  if (counts(row)) return <span className="text-ink-soft">{t.more(formatCount(row.not_recorded, language))}</span>;
  return (
    <span title={row.operation ?? undefined}>
      {row.method === null ? (
        t.otherVersion
      ) : (
        <code className="break-all">
          {row.method} {row.path}
        </code>
      )}
      {row.code !== null && <span className="mt-0.5 block text-xs text-bad">{row.code}</span>}
      {row.code === 'INVALID_SIGNATURE' && <span className="mt-0.5 block text-xs text-ink-faint">{t.unsigned}</span>}
    </span>
  );
}

function Status(row: KeyRequest) {
  const t = useTexts(requestTexts);
  if (counts(row)) return null;
  if (row.status === null) return <Badge tone="warn">{t.aborted}</Badge>;
  const tone = row.status < 400 ? 'ok' : row.status < 500 ? 'warn' : 'bad';
  return <Badge tone={tone}>{row.status}</Badge>;
}

export function useRequestColumns(): Column<KeyRequest>[] {
  const t = useTexts(requestTexts);
  const language = useLanguage();
  return [
    {
      name: 'time',
      header: t.time,
      className: 'whitespace-nowrap',
      cell: ({ at }) => (
        <time dateTime={at} title={formatExactMoment(at, language)}>
          {formatMomentWithSeconds(at, language)}
        </time>
      ),
    },
    { name: 'request', header: t.request, card: 'title', cell: (row) => <What {...row} /> },
    { name: 'status', header: t.status, card: 'corner', cell: (row) => <Status {...row} /> },
    {
      name: 'duration',
      header: t.duration,
      numeric: true,
      cell: (row) => row.duration_ms !== null && formatSpan(row.duration_ms),
    },
    {
      name: 'key',
      header: t.key,
      cell: (row) => <span title={row.api_key}>{row.key_name ?? shortenId(row.api_key)}</span>,
    },
    { name: 'address', header: t.address, cell: (row) => row.address },
    {
      name: 'id',
      header: t.requestId,
      cell: (row) =>
        !counts(row) && (
          <span className="inline-flex items-center">
            <code title={row.request_id}>{shortenId(row.request_id)}</code>
            <CopyButton text={row.request_id} iconOnly label={t.requestId} className="-my-1" />
          </span>
        ),
    },
  ];
}
