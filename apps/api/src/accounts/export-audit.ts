/** Writes the entries of a filter as CSV. Memory holds one page. The export is an entry of the log itself. */
import { type AccountId, limits } from '@kurir/contracts';
import { type AuditFilter, type AuditRow, type Database, noteReading, readAudit } from '@kurir/database';
import { subjectNameOf } from './show-audit-entry.js';
import { csvLine } from '../http/files/csv-line.js';
import { writeFile } from '../http/files/write-file.js';
import { zonedTime } from '../http/files/zoned-time.js';
import type { Handler } from '../operations/operation-request.js';

const pageSize = 1_000;
const mostPages = limits.exportMaxAuditEntries / pageSize;

type Lines = { readonly filter: AuditFilter; readonly timeZone: string | null; readonly gone: AbortSignal };

async function* readPages(database: Database, accountId: AccountId, { filter, gone }: Lines) {
  let cursor: string | null = null;
  for (let pages = 0; pages < mostPages && !gone.aborted; pages++) {
    const page: Awaited<ReturnType<typeof readAudit>> = await readAudit(
      database,
      accountId,
      { limit: pageSize, cursor },
      filter,
    );
    yield page.entries;
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

const columns = [
  'at',
  'actor',
  'actor_name',
  'action',
  'subject',
  'number_ends',
  'address',
  'entry_id',
  'subject_name',
] as const;

async function* textOf(pages: AsyncIterable<readonly AuditRow[]>, timeZone: string | null): AsyncGenerator<string> {
  const write = zonedTime(timeZone);
  const lineOf = (row: AuditRow): string => {
    const cells: Record<(typeof columns)[number], string | null> = {
      at: write(row.at),
      actor: row.actor,
      actor_name: row.actorName,
      action: row.action,
      subject: row.subject,
      number_ends: row.numberEnds,
      address: row.address,
      entry_id: row.id,
      subject_name: subjectNameOf(row),
    };
    return csvLine(columns.map((column) => cells[column]));
  };
  let head = csvLine(columns);
  for await (const rows of pages) {
    yield head + rows.map(lineOf).join('');
    head = '';
  }
}

export const exportAudit: Handler<'exportAudit'> = async (request, { database }, streamed) => {
  const { caller, callerGone, auditAs } = request;
  const { timeZone, ...filter } = request.query;
  const gone = callerGone();
  await noteReading(database, auditAs('audit.exported'));
  const pages = readPages(database.reports, caller.accountId, { filter, timeZone, gone });
  await writeFile(textOf(pages, timeZone), { type: 'text/csv', name: 'kurir-audit.csv' }, streamed, gone);
};
