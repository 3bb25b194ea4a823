/** The upload that a request wants to use, and the beginning of its file. A wrong mapping is told at once. */
import { type AccountId, ApiError } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import type { UploadView } from '@kurir/database/uploads';
import { fileSentence, RowFileError } from '@kurir/row-files';
import { type FileBeginning, readBeginning } from './read-file.js';
import { requireUpload } from './require-upload.js';

export const notReady = (sentence: string): ApiError => new ApiError('UPLOAD_NOT_READY', sentence);

/** Throws if parts are missing. */
export async function requireComplete(database: Database, accountId: AccountId, text: string): Promise<UploadView> {
  const upload = await requireUpload(database, accountId, text);
  if (!upload.isComplete)
    throw notReady(`${upload.receivedBytes} of ${upload.bytes} bytes have arrived. Send the missing parts first.`);
  return upload;
}

export async function requireFile(database: Database, upload: UploadView): Promise<FileBeginning> {
  try {
    return await readBeginning(database, upload);
  } catch (error) {
    if (error instanceof RowFileError) throw new ApiError('UPLOAD_NOT_READABLE', fileSentence(error.problem));
    throw error;
  }
}

/** `named`: by the field of the body, the column that it names. */
export function requireColumns(columns: readonly string[], named: Readonly<Record<string, string | null | undefined>>) {
  for (const [field, name] of Object.entries(named))
    if (name !== null && name !== undefined && !columns.includes(name))
      throw new ApiError(
        'INVALID_REQUEST',
        `${field}: the file has no such column. GET /api/v1/uploads/{upload_id} shows its columns.`,
      );
}

/** Puts a field before each key. */
export const under = <V>(field: string, given: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [`${field}.${key}`, value]));
