/** Writes the contacts of a filter as CSV or NDJSON. An import reads both files again. */
import type { AccountId } from '@kurir/contracts';
import { type Database, noteReading } from '@kurir/database';
import { type ContactFilter, type ContactView, listContacts } from '@kurir/database/contacts';
import { csvLine } from '../http/files/csv-line.js';
import { writeFile } from '../http/files/write-file.js';
import type { Handler } from '../operations/operation-request.js';
import { readFilter } from './read-phone-text.js';
import { showContact } from './show-contact.js';

const pageSize = 1_000;

async function* readPages(database: Database, accountId: AccountId, filter: ContactFilter) {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listContacts>> = await listContacts(database, accountId, {
      ...filter,
      limit: pageSize,
      cursor,
    });
    yield page.contacts;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const columns = [
  'phone',
  'name',
  'locale',
  'time_zone',
  'lists',
  'attributes',
  'consent_source',
  'consent_at',
  'created_at',
];

/** Attributes are one cell of JSON, because each contact may have others. */
const lineOf = (contact: ContactView): string =>
  csvLine([
    contact.phone,
    contact.name,
    contact.locale,
    contact.timeZone,
    contact.lists.join(','),
    Object.keys(contact.attributes).length === 0 ? null : JSON.stringify(contact.attributes),
    contact.consentSource,
    contact.consentAt?.toISOString() ?? null,
    contact.createdAt.toISOString(),
  ]);

async function* asCsv(pages: AsyncIterable<readonly ContactView[]>): AsyncGenerator<string> {
  let head = csvLine(columns);
  for await (const contacts of pages) {
    yield head + contacts.map(lineOf).join('');
    head = '';
  }
}

async function* asLines(pages: AsyncIterable<readonly ContactView[]>): AsyncGenerator<string> {
  for await (const contacts of pages)
    yield contacts.map((contact) => `${JSON.stringify(showContact(contact))}\n`).join('');
}

export const exportContacts: Handler<'exportContacts'> = async (request, { database }, streamed) => {
  const { caller, query, callerGone, auditAs } = request;
  const gone = callerGone();
  const { format, ...given } = query;
  const filter = await readFilter(database, caller.accountId, given);
  await noteReading(database, auditAs('contacts.exported'));
  const pages = readPages(database, caller.accountId, filter);
  if (format === 'csv') await writeFile(asCsv(pages), { type: 'text/csv', name: 'kurir-contacts.csv' }, streamed, gone);
  else await writeFile(asLines(pages), { type: 'application/x-ndjson', name: 'kurir-contacts.ndjson' }, streamed, gone);
};
