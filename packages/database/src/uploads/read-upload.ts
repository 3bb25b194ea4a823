/** Uploads, and the bytes of their parts. */
import { type AccountId, limits, type UploadId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type UploadView = {
  readonly id: UploadId;
  readonly fileName: string | null;
  readonly bytes: number;
  readonly receivedBytes: number;
  readonly parts: number;
  /** Whether the first part is there. */
  readonly hasBegun: boolean;
  /** All bytes are there, in parts without a gap between their numbers. */
  readonly isComplete: boolean;
  readonly createdAt: Date;
};

/** Over `uploads u`. */
export const isKept = `u.created_at > now() - interval '${limits.uploadKeptHours} hours'`;

/** Null: the account has no such upload, or it is too old. */
export async function readUpload(
  { pool }: Database,
  accountId: AccountId,
  uploadId: UploadId,
): Promise<UploadView | null> {
  const { rows } = await pool.query<UploadView>({
    name: 'read-upload',
    text: `SELECT u.id, u.file_name AS "fileName", u.bytes, p.received AS "receivedBytes", p.parts,
             p.first = 1 AS "hasBegun", p.received = u.bytes AND p.first = 1 AND p.last = p.parts AS "isComplete",
             u.created_at AS "createdAt"
           FROM uploads u CROSS JOIN LATERAL (
             SELECT count(*)::int AS parts, coalesce(sum(size), 0)::int AS received, coalesce(min(number), 0) AS first,
               coalesce(max(number), 0) AS last
             FROM upload_parts WHERE upload_id = u.id) p
           WHERE u.account_id = $1 AND u.id = $2 AND ${isKept}`,
    values: [accountId, uploadId],
  });
  return rows[0] ?? null;
}

const sliceBytes = 64 * 1024;

/**
 * Yields the bytes of the parts in their order, in slices, up to the first missing part. Memory holds one slice. The
 * caller has checked whose upload it is.
 */
export async function* readUploadBytes({ pool }: Database, uploadId: UploadId): AsyncGenerator<Buffer> {
  for (let number = 1; ; number++)
    for (let at = 0; ; at += sliceBytes) {
      const { rows } = await pool.query<{ size: number; slice: Buffer }>({
        name: 'read-upload-slice',
        text: `SELECT size, substring(bytes FROM $3::int + 1 FOR ${sliceBytes}) AS slice
               FROM upload_parts WHERE upload_id = $1 AND number = $2`,
        values: [uploadId, number, at],
      });
      const [part] = rows;
      if (part === undefined) return;
      yield part.slice;
      if (at + part.slice.length >= part.size) break;
    }
}
