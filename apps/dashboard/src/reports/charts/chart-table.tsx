import { useTexts } from '../../i18n/texts.js';
import type { Column } from '../../ui/tables/columns.js';
import { DataTable } from '../../ui/tables/data-table.js';
import type { Part, Report } from './report.js';
import { chartTexts } from './chart-texts.js';
import { useNameOfPart } from './use-part-name.js';

type ChartTableProps = {
  label: string;
  report: Pick<Report, 'unit' | 'parts'>;
  /** The values of a part, whose place is given. */
  columns: readonly { name: string; header: string; valueOf: (part: Part, i: number) => string; wide?: boolean }[];
};

/** A chart as a table, for people who cannot see it or prefer numbers. The newest part comes first. */
export function ChartTable({ label, report, columns }: ChartTableProps) {
  const t = useTexts(chartTexts);
  const nameOf = useNameOfPart(report);
  const rows = report.parts.map((part, i) => ({ part, i })).toReversed();
  type Row = (typeof rows)[number];
  const first: Column<Row> = {
    name: 'start',
    header: report.unit === 'day' ? t.day : t.hour,
    cell: ({ part }) => nameOf(part.start),
  };
  return (
    <details className="mt-3">
      <summary className="cursor-pointer py-3 text-xs sm:py-1 text-ink-faint hover:text-ink">{t.asTable}</summary>
      <div className="mt-2 max-h-72 overflow-y-auto rounded-md border border-line">
        <DataTable
          label={label}
          narrow="rows"
          rows={rows}
          idOf={({ part }) => part.start}
          columns={[
            first,
            ...columns.map(
              ({ valueOf, ...column }): Column<Row> => ({
                ...column,
                numeric: true,
                cell: ({ part, i }) => valueOf(part, i),
              }),
            ),
          ]}
        />
      </div>
    </details>
  );
}
