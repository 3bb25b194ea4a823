import { exportAccount as exportRows, noteReading } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { writeLines } from './write-lines.js';

export const exportAccount: Handler<'exportAccount'> = async ({ caller, auditAs, callerGone }, api, answer) => {
  const gone = callerGone();
  const audit = auditAs('account.exported');
  if (audit !== undefined) await noteReading(api.database, audit);
  const pages = exportRows(api.database.reports, api.accountKeys, caller.accountId);
  await writeLines(pages, 'kurir-account.ndjson', answer, gone);
};
