import { readAudit } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showAuditEntry } from './list-audit.js';

export const adminListAudit: DashboardHandler<'adminListAudit'> = async ({ query }, { database }) => {
  const page = await readAudit(database, null, query);
  const entries = page.entries.map((row) => ({ ...showAuditEntry(row), account_id: row.accountId }));
  return { entries, next_cursor: page.nextCursor };
};
