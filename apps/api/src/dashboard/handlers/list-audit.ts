import type { DashboardData } from '@kurir/contracts/dashboard';
import { type AuditRow, readAudit } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';

export const showAuditEntry = (row: AuditRow): DashboardData<'listAudit'>['entries'][number] => ({
  entry_id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor, name: row.actorName },
  action: row.action,
  subject: row.subject,
});

export const listAudit: DashboardHandler<'listAudit'> = async ({ visitor, query }, { database }) => {
  const page = await readAudit(database, visitor.membership.accountId, query);
  return { entries: page.entries.map(showAuditEntry), next_cursor: page.nextCursor };
};
