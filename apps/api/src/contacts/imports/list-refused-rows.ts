import { readRefusals } from '@kurir/database/contacts';
import type { Handler } from '../../operations/operation-request.js';
import { requireImport } from './require-import.js';
import { showRefusal } from './show-import.js';

export const listRefusedRows: Handler<'listRefusedRows'> = async ({ caller, params, query }, { database }) => {
  const { id } = await requireImport(database, caller.accountId, params.import_id);
  const rows = await readRefusals(database, id, { after: query.after, limit: query.limit + 1 });
  const refused = rows.slice(0, query.limit);
  const last = refused.at(-1);
  return {
    refused: refused.map(showRefusal),
    next_cursor: rows.length > query.limit && last !== undefined ? String(last.row) : null,
  };
};
