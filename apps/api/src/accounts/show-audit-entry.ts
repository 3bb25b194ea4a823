import type { OperationData } from '@kurir/contracts/dashboard';
import type { AuditRow } from '@kurir/database';
import { invoiceNumber } from '../payments/invoices/invoice-number.js';

/** People know a paid renewal by its invoice. */
export const subjectNameOf = ({ subject, subjectName, paidAt }: AuditRow): string | null =>
  subject === null || paidAt === null ? subjectName : invoiceNumber({ id: subject, paidAt });

export const showAuditEntry = (row: AuditRow): OperationData<'listAudit'>['entries'][number] => ({
  entry_id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor, name: row.actorName },
  action: row.action,
  subject: row.subject,
  subject_name: subjectNameOf(row),
  number_ends: row.numberEnds,
  address: row.address,
});
