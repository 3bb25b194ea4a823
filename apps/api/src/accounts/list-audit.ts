import { readAudit } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showAuditEntry } from './show-audit-entry.js';

export const listAudit: Handler<'listAudit'> = async ({ caller, query }, { database }) => {
  const { limit, cursor, ...filter } = query;
  const page = await readAudit(database, caller.accountId, { limit, cursor }, filter);
  return { entries: page.entries.map(showAuditEntry), next_cursor: page.nextCursor };
};
