import type { OperationData } from '@kurir/contracts/dashboard';
import type { AuditRow } from '@kurir/database';

export const showAuditEntry = (row: AuditRow): OperationData<'listAudit'>['entries'][number] => ({
  entry_id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor, name: row.actorName },
  action: row.action,
  subject: row.subject,
  number_ends: row.numberEnds,
  address: row.address,
});
