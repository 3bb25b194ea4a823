import type { Column, DataRows } from './columns.js';

/** Shows the rows of a table as cards on a narrow screen: a heading, a corner, and a line for each other value. */
export function DataCards<Row>({ label, columns, rows, idOf }: DataRows<Row>) {
  const [title, ...others] = columns.toSorted((a, b) => place(a) - place(b));
  const corner = others.find(({ card }) => card === 'corner');
  const lines = others.filter((column) => column !== corner);
  return (
    <ul aria-label={label} className="md:hidden">
      {rows.map((row) => (
        <li key={idOf(row)} className="border-b border-line px-5 py-3.5 text-sm last:border-0">
          <div className="flex min-h-6 items-start justify-between gap-4">
            <div className="min-w-0 font-medium break-words">{title?.cell(row)}</div>
            {corner !== undefined && <div className="shrink-0 text-ink-soft tabular">{corner.cell(row)}</div>}
          </div>
          <dl className="mt-1.5 flex flex-col gap-1 empty:hidden">
            {lines.map((column) => (
              <Line key={column.name} column={column} row={row} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const place = ({ card }: Pick<Column<never>, 'card'>) => (card === 'title' ? 0 : 1);

function Line<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const value = column.cell(row);
  if (value === false || value === null) return null;
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-xs text-ink-faint">{column.header}</dt>
      <dd className="min-w-0 text-right break-words tabular">{value}</dd>
    </div>
  );
}
