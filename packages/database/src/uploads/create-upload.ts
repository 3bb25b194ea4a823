import { type AccountId, limits, newId, type UploadId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';

export type NewUpload = {
  readonly accountId: AccountId;
  readonly fileName: string | null;
  /** The size of the whole file. */
  readonly bytes: number;
};

/** Returns the id, or `too-many` if the account keeps `limits.uploadsMax` uploads. */
export async function createUpload(
  { pool }: Database,
  { accountId, fileName, bytes }: NewUpload,
): Promise<UploadId | 'too-many'> {
  const id = newId('upl');
  return inTransaction(pool, async (client) => {
    // The lock makes two crossing requests count one after the other.
    await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM uploads WHERE account_id = $1',
      [accountId],
    );
    if ((rows[0]?.count ?? 0) >= limits.uploadsMax) return 'too-many';
    await client.query('INSERT INTO uploads (id, account_id, file_name, bytes) VALUES ($1, $2, $3, $4)', [
      id,
      accountId,
      fileName,
      bytes,
    ]);
    return id;
  });
}
