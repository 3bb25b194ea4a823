/** Erases contacts of accounts, and the files that they came from. Each statement is short and can run again, so a killed run is ended by the next one. */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';

type NumberInAccounts = { readonly number: string; readonly accountId: AccountId | null };

const withNumber = 'phone = $1 AND ($2::text IS NULL OR account_id = $2)';

export async function countContactsWith({ pool }: Database, { number, accountId }: NumberInAccounts): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM contacts WHERE ${withNumber}`, [
    number,
    accountId,
  ]);
  return rows[0]?.n ?? 0;
}

/** Returns how many contacts it deleted. Rows that imports refused lose the number. */
export async function deleteContactsWith({ pool }: Database, { number, accountId }: NumberInAccounts): Promise<number> {
  const { rowCount } = await pool.query(`DELETE FROM contacts WHERE ${withNumber}`, [number, accountId]);
  await pool.query(
    `UPDATE contact_import_refusals r SET value = '', phone = NULL, sealed = NULL, key_number = NULL FROM contact_imports i
     WHERE r.phone = $1 AND i.id = r.import_id AND ($2::text IS NULL OR i.account_id = $2)`,
    [number, accountId],
  );
  return rowCount ?? 0;
}

const rowsPerBatch = 2_000;

const ofAccount = [
  `DELETE FROM upload_parts WHERE ctid = ANY (ARRAY(SELECT p.ctid FROM uploads u JOIN upload_parts p ON p.upload_id = u.id
     WHERE u.account_id = $1 LIMIT 1))`,
  'DELETE FROM uploads WHERE account_id = $1',
  `DELETE FROM contact_import_refusals WHERE ctid = ANY (ARRAY(SELECT r.ctid FROM contact_imports i
     JOIN contact_import_refusals r ON r.import_id = i.id WHERE i.account_id = $1 LIMIT ${rowsPerBatch}))`,
  'DELETE FROM contact_imports WHERE account_id = $1',
  `DELETE FROM contacts WHERE ctid = ANY (ARRAY(SELECT ctid FROM contacts WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
];

export async function deleteContactsOf({ pool }: Database, accountId: AccountId): Promise<void> {
  for (const text of ofAccount) await deleteAll(pool, text, [accountId]);
}
