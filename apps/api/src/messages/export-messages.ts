/** Writes the messages of a filter as CSV. Memory holds one page, and a slow reader slows the database reads. */
import { once } from 'node:events';
import { type AccountId, limits } from '@kurir/contracts';
import { type Database, listMessages, type MessageView, noteReading } from '@kurir/database';
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
] as const;

/**
 * The places where a spreadsheet would begin a formula. A spreadsheet in another language separates cells by semicolons or tabs
 * and ignores our quotes, so a cell may begin after each of these. It also drops quotes and spaces before a formula.
 */
const formula = /(?<=^|[;,\t\r\n"])(?=["\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each formula. */
export function csvField(value: string | null): string {
  const text = (value ?? '').replace(formula, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvLine(message: MessageView): string {
  const fields: Record<(typeof columns)[number], string | null> = {
    job_id: message.id,
    status: message.status,
    reason: message.reason,
    device_id: message.deviceId,
    phone_destination: message.recipient,
    priority: message.priority,
    client_ref: message.clientRef,
    created_at: message.createdAt.toISOString(),
    send_at: message.sendAt?.toISOString() ?? null,
    expires_at: message.expiresAt?.toISOString() ?? null,
    network_message_id: message.networkMessageId,
  };
  return `${columns.map((column) => csvField(fields[column])).join(',')}\r\n`;
}

const headers = [
  ['Content-Type', 'text/csv; charset=utf-8'],
  ['Content-Disposition', 'attachment; filename="kurir-messages.csv"'],
  ['Cache-Control', 'no-store'],
];

type Filter = Omit<Parameters<typeof listMessages>[2], 'limit' | 'cursor'>;

/** Yields pages of messages. It stops at the last page, at the limit of an export, or when the caller has gone. */
async function* readPages(database: Database, accountId: AccountId, filter: Filter, gone: AbortSignal) {
  let cursor: string | null = null;
  for (let read = 0; read < limits.exportMaxMessages && !gone.aborted; read += pageSize) {
    const page: Awaited<ReturnType<typeof listMessages>> = await listMessages(database, accountId, {
      ...filter,
      limit: pageSize,
      cursor,
    });
    yield page.messages;
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

export const exportMessages: Handler<'exportMessages'> = async (request, { database }, { answer, res }) => {
  const { caller, query, callerGone } = request;
  const gone = callerGone();
  const audit = request.auditAs('messages.exported');
  if (audit !== undefined) await noteReading(database, audit);
  for await (const messages of readPages(database, caller.accountId, query, gone)) {
    // Sent after the first page was read, so that a failure before it still gets an error envelope.
    if (!res.headersSent) {
      answer.writeHead(200, headers.flat());
      res.write(`${columns.join(',')}\r\n`);
    }
    const hasRoom = res.write(messages.map(csvLine).join(''));
    if (!hasRoom) await once(res, 'drain', { signal: gone }).catch(() => undefined);
  }
  res.end();
};
