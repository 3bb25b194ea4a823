/**
 * Exports of a person's and an account's data, as pages of JSON lines. Each line has a `kind`. Secrets are never read.
 * Memory holds one page.
 */
import type { AccountId, UserId } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type InboundFacts, type InboundRow, inboundColumns, withWords } from '../conversations/inbound-facts.js';
import { shownReply, shownWriter, shownWritten } from '../conversations/show-inbound.js';
import { type ContentRow, contentColumns, joinContent, openContents } from '../messages/message-contents.js';
import { type MessageRow, messageColumns } from '../messages/read-messages.js';
import type { Database } from '../postgres/connect.js';
import { ofAccount, ofPerson, type Section } from './export-sections.js';

const linesPerPage = 1_000;
const messagesPerPage = 500;

async function* readSection({ lists }: Database, id: string, section: Section): AsyncGenerator<string[]> {
  const { kind, from, where, key, fields } = section;
  const object = Object.entries(fields).map(([name, column]) => `'${name}', ${column}`);
  const text = `SELECT ${key} AS key, json_build_object('kind', '${kind}', ${object.join(', ')})::text AS line
    FROM ${from} WHERE (${where}) AND ${key} > $2 ORDER BY ${key} LIMIT ${linesPerPage}`;
  for (let after = ''; ; ) {
    const { rows } = await lists.query<{ key: string; line: string }>(text, [id, after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ line }) => line);
    after = last.key;
  }
}

export async function* exportPerson(database: Database, userId: UserId): AsyncGenerator<string[]> {
  for (const section of ofPerson) yield* readSection(database, userId, section);
}

/** Messages have their texts as far as these are kept; otherwise `text` is null. */
export async function* exportAccount(
  database: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
): AsyncGenerator<string[]> {
  for (const section of ofAccount) yield* readSection(database, accountId, section);
  yield* exportMessages(database, accountKeys, accountId);
  yield* exportInbound(database, accountKeys, accountId);
}

async function* exportMessages(
  { lists }: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
): AsyncGenerator<string[]> {
  for (let after = 0n; ; ) {
    const { rows } = await lists.query<MessageRow & ContentRow>(
      `SELECT ${messageColumns}, m.account_id, m.body, ${contentColumns} FROM messages m ${joinContent('m.id')}
       WHERE m.account_id = $1 AND m.seq > $2 ORDER BY m.seq LIMIT ${messagesPerPage}`,
      [accountId, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const contents = await openContents(accountKeys, rows);
    yield rows.map((row) => {
      const content = contents.get(row.id) ?? 'unreadable';
      return messageLine(row, typeof content === 'string' ? null : content.text);
    });
    after = last.seq;
  }
}

async function* exportInbound(
  { lists }: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const { rows } = await lists.query<InboundRow & { conversation_id: string }>(
      `SELECT ${inboundColumns}, i.conversation_id FROM inbound_messages i JOIN conversations c ON c.id = i.conversation_id
       WHERE i.account_id = $1 AND i.id > $2 ORDER BY i.id LIMIT ${messagesPerPage}`,
      [accountId, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const facts = await withWords(accountKeys, rows);
    yield facts.map((row, i) => inboundLine(row, rows[i]?.conversation_id ?? ''));
    after = last.id;
  }
}

const inboundLine = (facts: InboundFacts, conversationId: string) =>
  JSON.stringify({
    kind: 'inbound_message',
    message_id: facts.id,
    conversation_id: conversationId,
    device_id: facts.deviceId,
    event: facts.kind,
    person: shownWriter(facts),
    ...shownWritten(facts),
    reply_to: shownReply(facts),
    sent_at: facts.sentAt,
    received_at: facts.receivedAt,
  });

const messageLine = (row: MessageRow, text: string | null) =>
  JSON.stringify({
    kind: 'message',
    job_id: row.id,
    device_id: row.device_id,
    phone_destination: row.recipient,
    text,
    status: row.status,
    reason: row.reason,
    client_ref: row.client_ref,
    send_at: row.send_at,
    expires_at: row.expires_at,
    created_at: row.created_at,
  });
