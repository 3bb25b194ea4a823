import { Field } from '../../../form/field.js';
import { Select } from '../../../form/select.js';
import { useTexts } from '../../../i18n/texts.js';
import { FirstRows } from '../../../uploads/first-rows.js';
import { NumberNotices } from '../../../uploads/number-notices.js';
import { uploadTexts } from '../../../uploads/texts.js';
import type { ChosenFile } from '../draft/draft.js';

type FileColumnsProps = { file: ChosenFile; onPhone: (column: string) => void };

/** Shows how the file was read, and asks for the column of the numbers. */
export function FileColumns({ file: { columns, rows, phone }, onPhone }: FileColumnsProps) {
  const t = useTexts(uploadTexts);
  const at = columns.findIndex((column) => column === phone);
  return (
    <>
      <Field label={t.phone} error={at === -1 ? t.noPhone : undefined}>
        {(links) => (
          <Select
            {...links}
            className="w-full sm:max-w-80"
            value={phone ?? ''}
            onChange={({ target }) => onPhone(target.value)}
          >
            {at === -1 && <option value="">{t.choosePhone}</option>}
            {[...new Set(columns)].map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <NumberNotices cells={at === -1 ? null : rows.map((values) => values[at] ?? '')} />
      <FirstRows columns={columns} rows={rows} />
    </>
  );
}
