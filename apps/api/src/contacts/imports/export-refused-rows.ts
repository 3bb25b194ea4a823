/** Writes the refused rows of an import as CSV, in the form of the file that was imported. */
import { type Language, refusalTextOf } from '@kurir/contracts';
import type { AccountKeys, Database } from '@kurir/database';
import { type ImportView, readRefusedRows, type RefusedRow } from '@kurir/database/contacts';
import { csvLine } from '../../http/files/csv-line.js';
import { writeFile } from '../../http/files/write-file.js';
import type { Handler } from '../../operations/operation-request.js';
import { requireImport } from './require-import.js';
import { refusalSentence } from './sentences.js';

const pageSize = 1_000;

const words = {
  en: { name: 'refused-rows.csv', reason: 'Reason' },
  id: { name: 'baris-ditolak.csv', reason: 'Alasan' },
} as const satisfies Record<Language, object>;

/** The row as it stood in the file. If its cells are not kept, only the refused one. The last cell takes those that are too many. */
function cellsOf(
  { cells, column, value, phone }: RefusedRow,
  columns: readonly string[],
  phoneColumn: string,
): string[] {
  const shown = column ?? phoneColumn;
  const kept = cells ?? columns.map((name) => (name === shown ? value : name === phoneColumn ? (phone ?? '') : ''));
  const last = columns.length - 1;
  return [...columns.slice(0, last).map((_none, i) => kept[i] ?? ''), kept.slice(last).join(' ').trim()];
}

type Shown = { readonly database: Database; readonly accountKeys: AccountKeys; readonly language: Language };

async function* asCsv(found: ImportView, { database, accountKeys, language }: Shown): AsyncGenerator<string> {
  const { mapping, separator } = found;
  // An earlier version did not keep the columns.
  const columns = found.columns.length === 0 ? [mapping.phone] : found.columns;
  const line = (cells: readonly string[]) => csvLine(cells, separator ?? ',');
  yield line([...columns, words[language].reason]);
  for (let after = 0; ; ) {
    const rows = await readRefusedRows(database, accountKeys, found, { after, limit: pageSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .map((row) => {
        const reason = refusalTextOf(row, language) ?? refusalSentence(row.code);
        return line([...cellsOf(row, columns, mapping.phone), reason]);
      })
      .join('');
    after = last.row;
  }
}

export const exportRefusedRows: Handler<'exportRefusedRows'> = async (
  { caller, params, query, callerGone },
  { database, accountKeys },
  streamed,
) => {
  const found = await requireImport(database, caller.accountId, params.import_id);
  const language = query.language ?? 'en';
  const pages = asCsv(found, { database, accountKeys, language });
  await writeFile(pages, { type: 'text/csv', name: words[language].name }, streamed, callerGone());
};
