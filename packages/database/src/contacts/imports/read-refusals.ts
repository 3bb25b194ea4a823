/** The rows that imports refused. */
import { type ImportId, limits } from '@kurir/contracts';
import type { Database } from '../../postgres/connect.js';
import { runInBatches } from '../../postgres/run-in-batches.js';
import type { Refusal } from './store-batch.js';

/** In the order of the file. The caller has checked whose import it is. */
export async function readRefusals(
  { pool }: Database,
  importId: ImportId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Refusal[]> {
  const { rows } = await pool.query<Refusal>({
    name: 'read-refusals',
    text: `SELECT row, column_name AS "column", value, code, phone FROM contact_import_refusals
           WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT $3`,
    values: [importId, after, limit],
  });
  return rows;
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
