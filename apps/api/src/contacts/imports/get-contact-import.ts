import type { Handler } from '../../operations/operation-request.js';
import { requireImport } from './require-import.js';
import { showImport } from './show-import.js';

export const getContactImport: Handler<'getContactImport'> = async ({ caller, params }, { database }) =>
  showImport(await requireImport(database, caller.accountId, params.import_id));
