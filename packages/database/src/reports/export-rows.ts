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

const linesPerPage = 1_000;
const messagesPerPage = 500;

/** A table of an export. `$1` is the id of the person or account. */
type Section = {
  readonly kind: string;
  readonly from: string;
  readonly where: string;
  /** A unique text that orders the rows. */
  readonly key: string;
  /** Columns by their name in the export. */
  readonly fields: Readonly<Record<string, string>>;
};

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Names of columns that are the same in the export. A name that ends in `_at` is a time. */
const plain = (alias: string, names: string): Record<string, string> =>
  Object.fromEntries(
    names.split(' ').map((name) => [name, name.endsWith('_at') ? iso(`${alias}.${name}`) : `${alias}.${name}`]),
  );

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

const auditFields = plain('l', 'account_id actor action subject at');
auditFields['at'] = iso('l.at');

const ofPerson: readonly Section[] = [
  {
    kind: 'person',
    from: 'users u',
    where: 'u.id = $1',
    key: 'u.id',
    fields: { user_id: 'u.id', ...plain('u', 'email name email_verified two_factor_enabled created_at updated_at') },
  },
  {
    kind: 'membership',
    from: 'members m JOIN accounts a ON a.id = m.account_id',
    where: 'm.user_id = $1',
    key: 'm.account_id',
    fields: { account_id: 'm.account_id', account_name: 'a.name', ...plain('m', 'role joined_at mail_off bell_off') },
  },
  {
    kind: 'notice',
    from: 'notices n',
    where: 'n.user_id = $1',
    key: `lpad(n.id::text, 19, '0')`,
    fields: {
      notice: 'n.kind',
      ...plain('n', 'account_id subject_id state reason mailed_at read_at'),
      at: iso('n.at'),
    },
  },
  {
    kind: 'session',
    from: 'sessions s',
    where: 's.user_id = $1',
    key: 's.id',
    fields: plain('s', 'ip_address user_agent account_id confirmed_at created_at updated_at expires_at'),
  },
  {
    kind: 'passkey',
    from: 'passkeys p',
    where: 'p.user_id = $1',
    key: 'p.id',
    fields: plain('p', 'name device_type backed_up created_at'),
  },
  { kind: 'audit', from: 'audit_log l', where: 'l.actor = $1 OR l.subject = $1', key: 'l.id', fields: auditFields },
];

const inAccount = (alias: string) => `${alias}.account_id = $1`;

const ofAccount: readonly Section[] = [
  {
    kind: 'account',
    from: 'accounts a',
    where: 'a.id = $1',
    key: 'a.id',
    fields: { account_id: 'a.id', ...plain('a', 'name text_retention_hours created_at') },
  },
  {
    kind: 'member',
    from: 'members m JOIN users u ON u.id = m.user_id',
    where: inAccount('m'),
    key: 'm.user_id',
    fields: { user_id: 'u.id', email: 'u.email', name: 'u.name', ...plain('m', 'role joined_at') },
  },
  {
    kind: 'invitation',
    from: 'invitations i',
    where: inAccount('i'),
    key: 'i.id',
    fields: plain('i', 'email role created_at expires_at'),
  },
  {
    kind: 'device',
    from: 'devices d',
    where: `${inAccount('d')} AND d.deleted_at IS NULL`,
    key: 'd.id',
    fields: {
      device_id: 'd.id',
      ...plain(
        'd',
        'name network linked phone_number state state_reason last_connected_at pace_per_minute typing_ms new_contacts_per_day client_ref created_at',
      ),
    },
  },
  {
    kind: 'key',
    from: 'api_keys k',
    where: inAccount('k'),
    key: 'k.id',
    fields: { api_key: 'k.id', ...plain('k', 'name scopes allowed_ips created_at revoked_at') },
  },
  {
    kind: 'contact',
    from: 'devices d JOIN device_contacts c ON c.device_id = d.id',
    where: inAccount('d'),
    key: `c.device_id || ' ' || c.recipient`,
    fields: { device_id: 'c.device_id', phone: 'c.recipient', ...plain('c', 'wrote_at heard_at seen_at') },
  },
  {
    kind: 'conversation',
    from: 'conversations v',
    where: `${inAccount('v')} AND v.alias_of IS NULL`,
    key: 'v.id',
    fields: {
      conversation_id: 'v.id',
      ...plain('v', 'device_id type user_id phone name unread last_message_at created_at'),
    },
  },
  {
    kind: 'period',
    from: 'subscription_periods p',
    where: inAccount('p'),
    key: 'p.id::text',
    fields: { period_id: 'p.id', ...plain('p', 'plan_name starts_at ends_at initial_quota taken_quota') },
  },
  {
    kind: 'renewal',
    from: 'renewals r',
    where: inAccount('r'),
    key: 'r.id',
    fields: { renewal_id: 'r.id', ...plain('r', 'plan_name price_rupiah method state created_at paid_at period_id') },
  },
  {
    kind: 'ledger_entry',
    from: 'ledger_entries e',
    where: inAccount('e'),
    key: 'e.id',
    fields: { entry_id: 'e.id', ...plain('e', 'renewal_id kind amount_rupiah provider provider_payment created_at') },
  },
  { kind: 'audit', from: 'audit_log l', where: inAccount('l'), key: 'l.id', fields: auditFields },
];

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
