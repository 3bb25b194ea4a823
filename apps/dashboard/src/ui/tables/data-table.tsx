import { clsx } from 'clsx';
import { DataCards } from './data-cards.js';
import type { Column, DataRows } from './columns.js';

/** On a narrow screen, `cards` turns rows into cards; `rows` keeps them and hides the `wide` columns. */
type DataTableProps<Row> = DataRows<Row> & { narrow?: 'cards' | 'rows' };

export function DataTable<Row>({ narrow = 'cards', ...data }: DataTableProps<Row>) {
  return (
    <>
      {narrow === 'cards' && <DataCards {...data} />}
      <Table {...data} className={clsx(narrow === 'cards' && 'hidden md:block')} />
    </>
  );
}

function Table<Row>({ label, columns, rows, idOf, className }: DataRows<Row> & { className: string }) {
  const cellLook = (column: Column<Row>) =>
    clsx(
      'px-3 first:pl-5 last:pr-5',
      column.numeric && 'text-right tabular',
      column.wide && 'hidden md:table-cell',
      column.className,
    );
  return (
    <div className={clsx('relative overflow-x-auto', className)} role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-ink-faint">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={clsx('py-2 font-medium whitespace-nowrap', cellLook(column))}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column.name} className={clsx('py-2.5 align-middle', cellLook(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
