/** Begins imports, shows them and cancels them. */
import { isDeepStrictEqual } from 'node:util';
import { type AccountId, type ImportId, limits, newId, type UploadId } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../../accounts/audit.js';
import { type Database, inTransaction } from '../../postgres/connect.js';
import type { UploadView } from '../../uploads/read-upload.js';
import { importColumns, type ImportForm, type ImportView, type ImportWish } from './import-rows.js';

/** `used`: the upload is imported in another way, or it is the audience of a broadcast. `too-many`: the account has `limits.importsMax` that have not ended. */
export type BegunImport = ImportView | 'used' | 'too-many';

async function insert(client: pg.PoolClient, accountId: AccountId, upload: UploadView, wish: ImportWish & ImportForm) {
  const id = newId('imp');
  const { rows } = await client.query<ImportView>(
    `INSERT INTO contact_imports AS i (id, account_id, upload_id, file_name, bytes, country, mapping, lists, consent_source,
       consent_at, on_existing, columns, separator)
     SELECT $2, a.id, $3, $4, $5, a.country, $6, $7, $8, CASE WHEN $8::text IS NULL THEN NULL ELSE coalesce($9, now()) END, $10, $11, $12
     FROM accounts a WHERE a.id = $1 RETURNING ${importColumns}`,
    [
      accountId,
      id,
      upload.id,
      upload.fileName,
      upload.bytes,
      JSON.stringify(wish.mapping),
      wish.lists,
      wish.consentSource,
      wish.consentAt,
      wish.onExisting,
      wish.columns,
      wish.separator,
    ],
  );
  const [begun] = rows;
  if (begun === undefined) throw new Error('there is no such account');
  return begun;
}

const isSame = (first: ImportView, wish: ImportWish): boolean =>
  isDeepStrictEqual(
    [first.mapping, first.lists, first.consentSource, first.onExisting],
    [wish.mapping, wish.lists, wish.consentSource, wish.onExisting],
  );

/** The import of an upload. `used`: it is imported in another way. Null: nobody imported it yet. */
export async function findImportOf(
  { pool }: Database,
  accountId: AccountId,
  uploadId: UploadId,
  wish: ImportWish,
): Promise<ImportView | 'used' | null> {
  const { rows } = await pool.query<ImportView>({
    name: 'find-import-of-upload',
    text: `SELECT ${importColumns} FROM contact_imports i WHERE i.account_id = $1 AND i.upload_id = $2`,
    values: [accountId, uploadId],
  });
  const [first] = rows;
  return first === undefined ? null : isSame(first, wish) ? first : 'used';
}

/** A second request for one upload returns the first import. */
export function beginImport(
  { pool }: Database,
  accountId: AccountId,
  upload: UploadView,
  wish: ImportWish & ImportForm,
  audit?: Audit,
): Promise<BegunImport> {
  return inTransaction(pool, async (client): Promise<BegunImport> => {
    // The lock makes two crossing requests count one after the other.
    await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const { rows } = await client.query<ImportView>(
      `SELECT ${importColumns} FROM contact_imports i WHERE i.account_id = $1 AND (i.upload_id = $2 OR i.ended_at IS NULL)`,
      [accountId, upload.id],
    );
    const first = rows.find(({ uploadId }) => uploadId === upload.id);
    if (first !== undefined) return isSame(first, wish) ? first : 'used';
    const { rowCount } = await client.query('SELECT 1 FROM broadcast_audiences WHERE upload_id = $1', [upload.id]);
    if (rowCount === 1) return 'used';
    if (rows.length >= limits.importsMax) return 'too-many';
    const begun = await insert(client, accountId, upload, wish);
    if (audit !== undefined) await noteAudit(client, audit, begun.id);
    return begun;
  });
}

/** Null: the account has no such import. */
export async function readImport(
  { pool }: Database,
  accountId: AccountId,
  importId: ImportId,
): Promise<ImportView | null> {
  const { rows } = await pool.query<ImportView>({
    name: 'read-contact-import',
    text: `SELECT ${importColumns} FROM contact_imports i WHERE i.account_id = $1 AND i.id = $2`,
    values: [accountId, importId],
  });
  return rows[0] ?? null;
}

/** Null: the account has no such import. `ended`: it had ended before. */
export function cancelImport(
  { pool }: Database,
  accountId: AccountId,
  importId: ImportId,
  audit?: Audit,
): Promise<ImportView | null | 'ended'> {
  return inTransaction(pool, async (client) => {
    // It waits for the batch that is being stored. The next batch of the worker finds the import cancelled.
    const { rows } = await client.query<ImportView & { hasEnded: boolean }>(
      `SELECT ${importColumns}, i.ended_at IS NOT NULL AS "hasEnded" FROM contact_imports i
       WHERE i.account_id = $1 AND i.id = $2 FOR UPDATE`,
      [accountId, importId],
    );
    const [found] = rows;
    if (found === undefined) return null;
    if (found.hasEnded) return 'ended';
    const { rows: cancelled } = await client.query<ImportView>(
      `UPDATE contact_imports i SET state = 'cancelled', ended_at = now(), owner = NULL WHERE i.id = $1 RETURNING ${importColumns}`,
      [importId],
    );
    if (audit !== undefined) await noteAudit(client, audit, importId);
    return cancelled[0] ?? null;
  });
}
