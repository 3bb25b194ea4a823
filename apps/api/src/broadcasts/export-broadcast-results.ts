/** Writes the outcome of each recipient as CSV or NDJSON, in the order of the list. */
import { type BroadcastId, type DataOf, outcomeReason, outcomeWords, type Language } from '@kurir/contracts';
import { type Database, noteReading, readMessageTimes } from '@kurir/database';
import { listRecipients } from '@kurir/database/broadcasts';
import { readContactNames } from '@kurir/database/contacts';
import { csvLine } from '../http/files/csv-line.js';
import { writeFile } from '../http/files/write-file.js';
import { zonedTime } from '../http/files/zoned-time.js';
import type { Handler } from '../operations/operation-request.js';
import { requireUncounted } from './require-broadcast.js';
import { showRecipient } from './show-broadcast.js';

const pageSize = 2_000;

type Names = ReadonlyMap<string, string>;
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

/** The columns before those of the times, and the cells of recipients in them. */
type Form = {
  readonly head: readonly string[];
  cellsOf(recipients: readonly Recipient[]): Promise<readonly (readonly (string | null)[])[]>;
};

const forPrograms: Form = {
  head: [...columns, ...timeColumns],
  cellsOf: async (recipients) => recipients.map(cellsOf),
};

const heads = {
  en: ['No', 'Name', 'Number', 'Status', 'Reason', 'Sent', 'Delivered', 'Read'],
  id: ['No', 'Nama', 'Nomor', 'Status', 'Alasan', 'Terkirim', 'Tersampaikan', 'Dibaca'],
} as const satisfies Record<Language, readonly string[]>;

/** `namesOf` returns the names of contacts by number. */
const forPeople = (language: Language, namesOf: (phones: string[]) => Promise<Names>): Form => ({
  head: heads[language],
  async cellsOf(recipients) {
    const names = await namesOf(recipients.flatMap(({ phone }) => phone ?? []));
    return recipients.map(({ position, phone, outcome, reason }) => [
      String(position),
      phone === null ? null : (names.get(phone) ?? null),
      phone,
      outcomeWords[language][outcome],
      reason === null ? null : outcomeReason(reason, language),
    ]);
  },
});

async function* asCsv(database: Database, pages: Pages, form: Form, timeZone: string | null): AsyncGenerator<string> {
  const write = zonedTime(timeZone);
  let head = csvLine(form.head);
  for await (const recipients of pages) {
    const times = await readMessageTimes(
      database,
      recipients.flatMap(({ job_id: id }) => id ?? []),
    );
    const cells = await form.cellsOf(recipients);
    const lines = recipients.map(({ job_id: id }, i) => {
      const known = id === null ? undefined : times.get(id);
      return csvLine([...(cells[i] ?? []), write(known?.sentAt), write(known?.deliveredAt), write(known?.readAt)]);
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
  // A key may read broadcasts without reading contacts.
  const namesOf = async (phones: string[]): Promise<Names> =>
    caller.by === 'person' ? readContactNames(database, caller.accountId, phones) : new Map();
  const form = query.language === null ? forPrograms : forPeople(query.language, namesOf);
  if (query.format === 'csv')
    await writeFile(asCsv(database, pages, form, query.timeZone), { type: 'text/csv', name }, streamed, gone);
  else await writeFile(asLines(pages), { type: 'application/x-ndjson', name }, streamed, gone);
};
