import { exportPerson, noteReading } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { writeLines } from './write-lines.js';

export const exportMe: Handler<'exportMe'> = async ({ caller, auditAs, callerGone }, { database }, answer) => {
  const gone = callerGone();
  const audit = auditAs('person.exported');
  if (audit !== undefined) await noteReading(database, audit);
  await writeLines(exportPerson(database.reports, caller.visitor.user.id), 'kurir-person.ndjson', answer, gone);
};
