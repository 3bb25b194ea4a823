/** Writes the refused rows of an import as CSV. */
import type { ImportId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { readRefusals } from '@kurir/database/contacts';
import { csvLine } from '../../http/files/csv-line.js';
import { writeFile } from '../../http/files/write-file.js';
import type { Handler } from '../../operations/operation-request.js';
import { requireImport } from './require-import.js';
import { refusalSentence } from './sentences.js';

const pageSize = 2_000;

async function* asCsv(database: Database, id: ImportId): AsyncGenerator<string> {
  yield csvLine(['row', 'column', 'value', 'code', 'advice']);
  for (let after = 0; ; ) {
    const rows = await readRefusals(database, id, { after, limit: pageSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .map(({ row, column, value, code }) => csvLine([String(row), column, value, code, refusalSentence(code)]))
      .join('');
    after = last.row;
  }
}

export const exportRefusedRows: Handler<'exportRefusedRows'> = async (request, { database }, streamed) => {
  const { caller, params, callerGone } = request;
  const { id } = await requireImport(database, caller.accountId, params.import_id);
  await writeFile(asCsv(database, id), { type: 'text/csv', name: 'kurir-refused-rows.csv' }, streamed, callerGone());
};
