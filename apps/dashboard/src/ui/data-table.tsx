import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Column<Row> = {
  name: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures stand to the right. */
  numeric?: boolean;
  /** Left out where there is no room. */
  wide?: boolean;
  className?: string;
};

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
};

export function DataTable<Row>({ label, columns, rows, idOf }: DataTableProps<Row>) {
  const cellLook = (column: Column<Row>) =>
    clsx(
      'px-3 first:pl-5 last:pr-5',
      column.numeric && 'text-right tabular',
      column.wide && 'hidden md:table-cell',
      column.className,
    );
  return (
    <div className="relative overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
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
