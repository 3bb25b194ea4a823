import { readAudit } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showAuditEntry } from '../accounts/show-audit-entry.js';

export const adminListAudit: Handler<'adminListAudit'> = async ({ query }, { database }) => {
  const page = await readAudit(database, null, query);
  const entries = page.entries.map((row) => ({ ...showAuditEntry(row), account_id: row.accountId }));
  return { entries, next_cursor: page.nextCursor };
};
