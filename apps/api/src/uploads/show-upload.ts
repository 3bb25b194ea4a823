import { type DataOf, limits } from '@kurir/contracts';
import type { UploadView } from '@kurir/database/uploads';

const keptMs = limits.uploadKeptHours * 60 * 60 * 1_000;

export const showUpload = (upload: UploadView): DataOf<'createUpload'> => ({
  upload_id: upload.id,
  file_name: upload.fileName,
  bytes: upload.bytes,
  received_bytes: upload.receivedBytes,
  parts: upload.parts,
  part_max_bytes: limits.uploadPartMaxBytes,
  is_complete: upload.isComplete,
  created_at: upload.createdAt.toISOString(),
  expires_at: new Date(upload.createdAt.getTime() + keptMs).toISOString(),
});
