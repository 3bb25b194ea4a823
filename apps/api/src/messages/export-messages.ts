/** Writes the messages of a filter as CSV. Memory holds one page, and a slow reader slows the database reads. */
import { type AccountId, limits } from '@kurir/contracts';
import {
  type Database,
  listMessages,
  type MessageTimes,
  type MessageView,
  noteReading,
  readMessageTimes,
} from '@kurir/database';
import { csvLine } from '../http/files/csv-line.js';
import { writeFile } from '../http/files/write-file.js';
import { zonedTime } from '../http/files/zoned-time.js';
import type { Handler } from '../operations/operation-request.js';

const pageSize = 1_000;

const columns = [
  'job_id',
  'status',
  'reason',
  'device_id',
  'phone_destination',
  'priority',
  'client_ref',
  'created_at',
  'send_at',
  'expires_at',
  'network_message_id',
  'broadcast_id',
  'sent_at',
  'delivered_at',
  'read_at',
] as const;

type Timed = { readonly message: MessageView; readonly times: MessageTimes | undefined };
type WriteTime = ReturnType<typeof zonedTime>;

function lineOf({ message, times }: Timed, write: WriteTime): string {
  const fields: Record<(typeof columns)[number], string | null> = {
    job_id: message.id,
    status: message.status,
    reason: message.reason,
    device_id: message.deviceId,
    phone_destination: message.recipient,
    priority: message.priority,
    client_ref: message.clientRef,
    created_at: write(message.createdAt),
    send_at: write(message.sendAt),
    expires_at: write(message.expiresAt),
    network_message_id: message.networkMessageId,
    broadcast_id: message.broadcastId,
    sent_at: write(times?.sentAt),
    delivered_at: write(times?.deliveredAt),
    read_at: write(times?.readAt),
  };
  return csvLine(columns.map((column) => fields[column]));
}

type Filter = Omit<Parameters<typeof listMessages>[2], 'limit' | 'cursor'>;

/** A search may find few messages in each page, so the number of pages is limited too. */
const mostPages = limits.exportMaxMessages / pageSize;

/** Yields pages of messages. It stops at the last page, at the limits, or when the caller has gone. */
async function* readPages(database: Database, accountId: AccountId, filter: Filter, gone: AbortSignal) {
  let cursor: string | null = null;
  for (let pages = 0; pages < mostPages && !gone.aborted; pages++) {
    const page: Awaited<ReturnType<typeof listMessages>> = await listMessages(database, accountId, {
      ...filter,
      limit: pageSize,
      cursor,
    });
    const times = await readMessageTimes(
      database,
      page.messages.map(({ id }) => id),
    );
    yield page.messages.map((message) => ({ message, times: times.get(message.id) }));
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

async function* textOf(pages: ReturnType<typeof readPages>, write: WriteTime): AsyncGenerator<string> {
  let head = csvLine(columns);
  for await (const messages of pages) {
    yield head + messages.map((each) => lineOf(each, write)).join('');
    head = '';
  }
}

export const exportMessages: Handler<'exportMessages'> = async (request, { database }, streamed) => {
  const { caller, callerGone } = request;
  const { timeZone, ...filter } = request.query;
  const gone = callerGone();
  const audit = request.auditAs('messages.exported');
  if (audit !== undefined) await noteReading(database, audit);
  const pages = readPages(database.reports, caller.accountId, filter, gone);
  await writeFile(textOf(pages, zonedTime(timeZone)), { type: 'text/csv', name: 'kurir-messages.csv' }, streamed, gone);
};
