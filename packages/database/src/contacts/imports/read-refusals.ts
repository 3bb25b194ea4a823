/** The rows that imports refused. */
import { type ImportId, limits } from '@kurir/contracts';
import type { AccountKeys } from '../../accounts/account-keys.js';
import type { Database } from '../../postgres/connect.js';
import { runInBatches } from '../../postgres/chores/run-in-batches.js';
import type { ImportView } from './import-rows.js';
import { openCells } from './refused-cells.js';
import type { Refusal } from './store-batch.js';

/** In the order of the file. The caller has checked whose import it is. */
export async function readRefusals(
  { pool }: Database,
  importId: ImportId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Refusal[]> {
  const { rows } = await pool.query<Refusal>({
    name: 'read-refusals',
    text: `SELECT row, column_name AS "column", value, code, phone, same_as_row AS "sameAsRow" FROM contact_import_refusals
           WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT $3`,
    values: [importId, after, limit],
  });
  return rows;
}

/** `cells` is null if they are erased or were not kept. */
export type RefusedRow = Omit<Refusal, 'cells'> & { readonly cells: readonly string[] | null };

type SealedRow = Omit<Refusal, 'cells'> & { readonly keyNumber: number | null; readonly sealed: Buffer | null };

/** The same with the cells of the rows. */
export async function readRefusedRows(
  { pool }: Database,
  accountKeys: AccountKeys,
  { id: importId, accountId }: Pick<ImportView, 'id' | 'accountId'>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RefusedRow[]> {
  const { rows } = await pool.query<SealedRow>({
    name: 'read-refused-rows',
    text: `SELECT row, column_name AS "column", value, code, phone, same_as_row AS "sameAsRow", key_number AS "keyNumber", sealed
           FROM contact_import_refusals WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT $3`,
    values: [importId, after, limit],
  });
  const numbers = new Set(rows.flatMap(({ keyNumber }) => (keyNumber === null ? [] : [keyNumber])));
  const keyOf = await accountKeys.opening([...numbers].map((number) => ({ accountId, number })));
  return rows.map(({ sealed, keyNumber, ...rest }) => {
    const key = keyNumber === null ? null : keyOf({ accountId, number: keyNumber });
    return { ...rest, cells: sealed === null ? null : openCells(key, { importId, row: rest.row }, sealed) };
  });
}

const rowsPerBatch = 2_000;

/** Forgets imports that are \`limits.importKeptDays\` old, with their refused rows. */
export async function forgetImports({ pool }: Database, signal: AbortSignal): Promise<number> {
  const old = `ended_at IS NOT NULL AND created_at < now() - interval '${limits.importKeptDays} days'`;
  await runInBatches(async () => {
    const { rowCount } = await pool.query({
      name: 'forget-refusals',
      text: `DELETE FROM contact_import_refusals WHERE ctid = ANY (ARRAY(
               SELECT r.ctid FROM contact_imports i JOIN contact_import_refusals r ON r.import_id = i.id
               WHERE ${old} LIMIT ${rowsPerBatch}))`,
    });
    return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsPerBatch };
  }, signal);
  if (signal.aborted) return 0;
  // An import without refused rows goes by itself. The others wait for the next run.
  const { rowCount } = await pool.query({
    name: 'forget-imports',
    text: `DELETE FROM contact_imports i WHERE ${old}
             AND NOT EXISTS (SELECT 1 FROM contact_import_refusals r WHERE r.import_id = i.id)`,
  });
  return rowCount ?? 0;
}
