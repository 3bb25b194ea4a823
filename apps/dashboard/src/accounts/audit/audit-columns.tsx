import type { DashboardData } from '@kurir/contracts/dashboard';
import { formatMoment, shortenId } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Column } from '../../ui/tables/columns.js';
import { auditTexts } from './texts.js';

export type AuditEntry = DashboardData<'listAudit'>['entries'][number];

export function useAuditColumns(): Column<AuditEntry>[] {
  const t = useTexts(auditTexts);
  const language = useLanguage();
  return [
    {
      name: 'time',
      header: t.time,
      card: 'corner',
      className: 'whitespace-nowrap',
      cell: (row) => formatMoment(row.at, language),
    },
    {
      name: 'who',
      header: t.who,
      cell: (row) => row.actor.name ?? <code title={row.actor.id}>{shortenId(row.actor.id)}</code>,
    },
    { name: 'what', header: t.what, card: 'title', cell: (row) => <code>{row.action}</code> },
    {
      name: 'subject',
      header: t.subject,
      cell: (row) =>
        row.subject === null ? (
          '–'
        ) : (
          <>
            <code title={row.subject}>{shortenId(row.subject)}</code>
            {row.number_ends !== null && ` · …${row.number_ends}`}
          </>
        ),
    },
  ];
}
