import { ApiError } from '@kurir/contracts';
import { cancelImport } from '@kurir/database/contacts';
import type { Handler } from '../../operations/operation-request.js';
import { importNotFound, requireImport } from './require-import.js';
import { showImport } from './show-import.js';

export const cancelContactImport: Handler<'cancelContactImport'> = async (
  { caller, auditAs, params },
  { database },
) => {
  const { id } = await requireImport(database, caller.accountId, params.import_id);
  const cancelled = await cancelImport(database, caller.accountId, id, auditAs('contacts.import_cancelled'));
  if (cancelled === null) throw importNotFound();
  if (cancelled === 'ended')
    throw new ApiError('IMPORT_ENDED', 'The import has ended. GET /api/v1/contacts/imports/{import_id} shows how.');
  return showImport(cancelled);
};
