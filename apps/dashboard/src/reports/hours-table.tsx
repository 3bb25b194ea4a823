import { formatCount, formatMoment, formatSpan } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { DataTable } from '../ui/tables/data-table.js';
import type { Overview } from './overview.js';
import { reportTexts } from './texts.js';

type Hour = Overview['hours'][number];

/** The chart as a table, for people who cannot see the chart or prefer numbers. */
export function HoursTable({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const latency = (ms: number | null) => (ms === null ? '–' : formatSpan(ms));
  return (
    <details className="mt-3">
      <summary className="cursor-pointer py-3 text-xs sm:py-1 text-ink-faint hover:text-ink">{t.asTable}</summary>
      <div className="mt-2 max-h-72 overflow-y-auto rounded-md border border-line">
        <DataTable
          label={t.flow}
          narrow="rows"
          rows={hours.toReversed()}
          idOf={(row) => row.hour}
          columns={[
            { name: 'hour', header: t.hour, cell: (row) => formatMoment(row.hour, language) },
            { name: 'accepted', header: t.accepted, numeric: true, cell: (row) => formatCount(row.accepted, language) },
            {
              name: 'delivered',
              header: t.delivered,
              numeric: true,
              cell: (row) => formatCount(row.delivered, language),
            },
            { name: 'failed', header: t.failed, numeric: true, cell: (row) => formatCount(row.failed, language) },
            { name: 'p50', header: 'OTP p50', numeric: true, wide: true, cell: (row) => latency(row.otp.p50_ms) },
            { name: 'p99', header: 'OTP p99', numeric: true, wide: true, cell: (row) => latency(row.otp.p99_ms) },
          ]}
        />
      </div>
    </details>
  );
}
