/** Writes the outcome of each recipient as CSV or NDJSON, in the order of the list. */
import type { BroadcastId, DataOf } from '@kurir/contracts';
import { type Database, noteReading, readMessageTimes } from '@kurir/database';
import { listRecipients } from '@kurir/database/broadcasts';
import { csvLine } from '../http/files/csv-line.js';
import { writeFile } from '../http/files/write-file.js';
import { zonedTime } from '../http/files/zoned-time.js';
import type { Handler } from '../operations/operation-request.js';
import { requireUncounted } from './require-broadcast.js';
import { showRecipient } from './show-broadcast.js';

const pageSize = 2_000;

type Recipient = DataOf<'listBroadcastRecipients'>['recipients'][number];

async function* readPages(database: Database, id: BroadcastId): AsyncGenerator<readonly Recipient[]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRecipients>> = await listRecipients(database, id, {
      outcome: null,
      limit: pageSize,
      cursor,
    });
    yield page.recipients.map(showRecipient);
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const columns = ['position', 'phone', 'outcome', 'reason', 'job_id', 'device_id'] as const;
const timeColumns = ['sent_at', 'delivered_at', 'read_at'] as const;

const cellsOf = (recipient: Recipient): (string | null)[] =>
  columns.map((column) => (recipient[column] === null ? null : String(recipient[column])));

type Pages = AsyncIterable<readonly Recipient[]>;

async function* asCsv(database: Database, pages: Pages, timeZone: string | null): AsyncGenerator<string> {
  const write = zonedTime(timeZone);
  let head = csvLine([...columns, ...timeColumns]);
  for await (const recipients of pages) {
    const times = await readMessageTimes(
      database,
      recipients.flatMap(({ job_id: id }) => id ?? []),
    );
    const lines = recipients.map((each) => {
      const known = each.job_id === null ? undefined : times.get(each.job_id);
      return csvLine([...cellsOf(each), write(known?.sentAt), write(known?.deliveredAt), write(known?.readAt)]);
    });
    yield head + lines.join('');
    head = '';
  }
}

async function* asLines(pages: Pages): AsyncGenerator<string> {
  for await (const recipients of pages) yield recipients.map((each) => `${JSON.stringify(each)}\n`).join('');
}

export const exportBroadcastResults: Handler<'exportBroadcastResults'> = async (request, { database }, streamed) => {
  const { caller, params, query, callerGone, auditAs } = request;
  const gone = callerGone();
  const { id } = await requireUncounted(database, caller.accountId, params.broadcast_id);
  await noteReading(database, auditAs('broadcast.exported'));
  const pages = readPages(database, id);
  const name = `kurir-broadcast-results.${query.format}`;
  if (query.format === 'csv')
    await writeFile(asCsv(database, pages, query.timeZone), { type: 'text/csv', name }, streamed, gone);
  else await writeFile(asLines(pages), { type: 'application/x-ndjson', name }, streamed, gone);
};
