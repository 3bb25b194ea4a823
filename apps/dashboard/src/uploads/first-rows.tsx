import { useTexts } from '../i18n/texts.js';
import { uploadTexts } from './texts.js';

const shownRows = 3;

type FirstRowsProps = {
  columns: readonly string[];
  /** Cells in the order of the columns. */
  rows: readonly (readonly string[])[];
};

/** Shows how the file was read. */
export function FirstRows({ columns, rows }: FirstRowsProps) {
  const t = useTexts(uploadTexts);
  return (
    <section aria-label={t.firstRows} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{t.firstRows}</h3>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {rows.slice(0, shownRows).map((values, row) => (
          <li key={row} className="px-4 py-2.5 text-sm">
            <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
              {columns.map((column, i) => (
                <div key={`${i} ${column}`} className="flex min-w-0 justify-between gap-3 sm:justify-start">
                  <dt className="shrink-0 text-ink-faint">{column}</dt>
                  <dd className="min-w-0 truncate">{values[i]}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
