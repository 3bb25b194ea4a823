import { type AccountId, ApiError, isImportId, limits } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { type ImportView, readImport } from '@kurir/database/contacts';

/** The import of another account gets the same error. */
export const importNotFound = (): ApiError =>
  new ApiError(
    'IMPORT_NOT_FOUND',
    `The account has no import with this id. Imports are kept for ${limits.importKeptDays} days.`,
  );

export async function requireImport(database: Database, accountId: AccountId, text: string): Promise<ImportView> {
  const found = isImportId(text) ? await readImport(database, accountId, text) : null;
  if (found === null) throw importNotFound();
  return found;
}
