import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { useTexts } from '../../i18n/texts.js';
import { type Column, chosen, uses } from './mapping.js';
import { importTexts } from './texts.js';

const shownCells = 2;

type ColumnsFieldProps = {
  columns: readonly Column[];
  /** The first rows, with cells in the order of the file. */
  rows: readonly (readonly string[])[];
  onChange: (columns: readonly Column[]) => void;
};

/** One line a column: its first cells, and what they are. */
export function ColumnsField({ columns, rows, onChange }: ColumnsFieldProps) {
  const t = useTexts(importTexts);
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {columns.map((column) => (
        <li key={column.name} className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-2">
          <div className="min-w-0">
            <p className="font-medium break-words">{column.name}</p>
            <p className="truncate text-sm text-ink-soft">{examplesOf(rows, column.at)}</p>
          </div>
          <Field label={<span className="sr-only">{t.contentOf(column.name)}</span>}>
            {(links) => (
              <Select
                {...links}
                className="w-full"
                value={column.use}
                onChange={({ target }) => {
                  const use = uses.find((one) => one === target.value);
                  if (use !== undefined) onChange(chosen(columns, column.name, use));
                }}
              >
                {uses
                  .filter((use) => use !== 'attribute' || column.key !== null)
                  .map((use) => (
                    <option key={use} value={use}>
                      {t.uses[use]}
                    </option>
                  ))}
              </Select>
            )}
          </Field>
        </li>
      ))}
    </ul>
  );
}

const examplesOf = (rows: readonly (readonly string[])[], at: number): string =>
  rows
    .map((cells) => cells[at] ?? '')
    .filter((cell) => cell.trim() !== '')
    .slice(0, shownCells)
    .join(', ') || '—';
