/** Deletes uploads that nobody needs any more. Several workers may run it at once. */
import { limits, type UploadId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

/** Deletes the parts one by one, so that each statement is short. */
export async function deleteUpload({ pool }: Database, uploadId: UploadId): Promise<void> {
  for (let deleted = 1; deleted > 0; ) {
    const { rowCount } = await pool.query({
      name: 'delete-upload-part',
      text: `DELETE FROM upload_parts WHERE upload_id = $1
               AND number = (SELECT min(number) FROM upload_parts WHERE upload_id = $1)`,
      values: [uploadId],
    });
    deleted = rowCount ?? 0;
  }
  await pool.query({ name: 'delete-upload', text: 'DELETE FROM uploads WHERE id = $1', values: [uploadId] });
}

/** Forgets uploads whose import or broadcast has read them, and old ones that nobody uses. Returns how many went. */
export async function forgetUploads(database: Database, signal: AbortSignal): Promise<number> {
  const { rows } = await database.pool.query<{ id: UploadId }>({
    name: 'read-old-uploads',
    text: `SELECT u.id FROM uploads u LEFT JOIN contact_imports i ON i.upload_id = u.id
             LEFT JOIN broadcast_audiences a ON a.upload_id = u.id LEFT JOIN broadcasts b ON b.id = a.broadcast_id
           WHERE i.ended_at IS NOT NULL OR b.state <> 'checking'
             OR (i.id IS NULL AND b.id IS NULL AND u.created_at < now() - interval '${limits.uploadKeptHours} hours')
           ORDER BY u.created_at LIMIT 100`,
  });
  let deleted = 0;
  for (const { id } of rows) {
    if (signal.aborted) break;
    await deleteUpload(database, id);
    deleted++;
  }
  return deleted;
}
