import { type AccountId, ApiError, isUploadId, limits, type UploadId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { readUpload, type UploadView } from '@kurir/database/uploads';

/** The upload of another account gets the same error. */
export const uploadNotFound = (): ApiError =>
  new ApiError(
    'UPLOAD_NOT_FOUND',
    `The account has no upload with this id. Uploads go when they are read, or after ${limits.uploadKeptHours} hours.`,
  );

export function requireUploadId(text: string): UploadId {
  if (!isUploadId(text)) throw uploadNotFound();
  return text;
}

export async function requireUpload(database: Database, accountId: AccountId, text: string): Promise<UploadView> {
  const upload = await readUpload(database, accountId, requireUploadId(text));
  if (upload === null) throw uploadNotFound();
  return upload;
}
