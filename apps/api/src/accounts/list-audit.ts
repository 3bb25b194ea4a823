import { readAudit } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showAuditEntry } from './show-audit-entry.js';

export const listAudit: Handler<'listAudit'> = async ({ caller, query }, { database }) => {
  const page = await readAudit(database, caller.accountId, query);
  return { entries: page.entries.map(showAuditEntry), next_cursor: page.nextCursor };
};
