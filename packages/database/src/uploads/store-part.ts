/** Stores a part of an upload. The same part twice is one part. */
import { createHash } from 'node:crypto';
import type { AccountId, UploadId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';
import { isKept } from './read-upload.js';

export type UploadPart = { readonly number: number; readonly bytes: Buffer };

/** `differs`: the upload has a part with this number and other bytes. `too-big`: more bytes than the upload has. */
export type StoredPart = 'stored' | 'not-found' | 'differs' | 'too-big';

export function storePart(
  { pool }: Database,
  which: { readonly accountId: AccountId; readonly uploadId: UploadId },
  { number, bytes }: UploadPart,
): Promise<StoredPart> {
  const sha256 = createHash('sha256').update(bytes).digest();
  return inTransaction(pool, async (client): Promise<StoredPart> => {
    const { rows } = await client.query<{ bytes: number }>(
      `SELECT u.bytes FROM uploads u WHERE u.account_id = $1 AND u.id = $2 AND ${isKept} FOR UPDATE`,
      [which.accountId, which.uploadId],
    );
    const [upload] = rows;
    if (upload === undefined) return 'not-found';
    const { rows: parts } = await client.query<{ same: boolean | null; received: number }>(
      `SELECT (SELECT sha256 = $3 FROM upload_parts WHERE upload_id = $1 AND number = $2) AS same,
         (SELECT coalesce(sum(size), 0)::int FROM upload_parts WHERE upload_id = $1) AS received`,
      [which.uploadId, number, sha256],
    );
    const { same, received } = parts[0] ?? { same: null, received: 0 };
    if (same !== null) return same ? 'stored' : 'differs';
    if (received + bytes.length > upload.bytes) return 'too-big';
    await client.query(
      'INSERT INTO upload_parts (upload_id, number, size, sha256, bytes) VALUES ($1, $2, $3, $4, $5)',
      [which.uploadId, number, bytes.length, sha256, bytes],
    );
    return 'stored';
  });
}
