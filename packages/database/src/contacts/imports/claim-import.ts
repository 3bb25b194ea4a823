/**
 * Leases of imports. One worker reads a file. Its lease ends on the clock of the database, and then another worker goes
 * on after the last stored batch.
 */
import type { ImportId } from '@kurir/contracts';
import type { Database } from '../../postgres/connect.js';
import { importColumns, type ImportView } from './import-rows.js';

export const importLeaseTtlMs = 10_000;

const ttl = `interval '${importLeaseTtlMs} milliseconds'`;

/**
 * Takes the import that has waited longest, or one whose worker has died. Null: there is none. An account has one running
 * import at a time, so that a long file of one account holds up no other account.
 */
export async function takeImport({ pool }: Database, owner: string): Promise<ImportView | null> {
  const { rows } = await pool.query<ImportView>({
    name: 'take-contact-import',
    text: `UPDATE contact_imports i SET state = 'running', owner = $1, expires_at = now() + ${ttl}
           WHERE i.id = (
             SELECT n.id FROM contact_imports n
             WHERE n.ended_at IS NULL AND (n.owner IS NULL OR n.expires_at <= now())
               AND NOT EXISTS (SELECT 1 FROM contact_imports o WHERE o.account_id = n.account_id AND o.id <> n.id
                 AND o.ended_at IS NULL AND o.owner IS NOT NULL AND o.expires_at > now())
             ORDER BY n.created_at, n.id FOR UPDATE SKIP LOCKED LIMIT 1)
           RETURNING ${importColumns}`,
    values: [owner],
  });
  return rows[0] ?? null;
}

export type ImportLease = { readonly importId: ImportId; readonly owner: string };

/** Returns false if the lease is lost, or the import has ended. */
export async function renewImport({ pool }: Database, { importId, owner }: ImportLease): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'renew-contact-import',
    text: `UPDATE contact_imports SET expires_at = now() + ${ttl}
           WHERE id = $1 AND owner = $2 AND ended_at IS NULL AND expires_at > now()`,
    values: [importId, owner],
  });
  return rowCount === 1;
}

/** Gives the import back, so that another worker can go on at once. */
export async function releaseImport({ pool }: Database, { importId, owner }: ImportLease): Promise<void> {
  await pool.query({
    name: 'release-contact-import',
    text: 'UPDATE contact_imports SET owner = NULL, expires_at = now() WHERE id = $1 AND owner = $2 AND ended_at IS NULL',
    values: [importId, owner],
  });
}

/** Returns false if the lease is lost. */
export async function endImport(
  { pool }: Database,
  { importId, owner }: ImportLease,
  end: { readonly problem: string; readonly row: number | null } | 'done',
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'end-contact-import',
    text: `UPDATE contact_imports SET state = CASE WHEN $3::text IS NULL THEN 'done' ELSE 'failed' END, problem = $3,
             problem_row = $4, owner = NULL, ended_at = now(),
             read_bytes = CASE WHEN $3::text IS NULL THEN bytes ELSE read_bytes END
           WHERE id = $1 AND owner = $2 AND ended_at IS NULL`,
    values: [importId, owner, end === 'done' ? null : end.problem, end === 'done' ? null : end.row],
  });
  return rowCount === 1;
}
