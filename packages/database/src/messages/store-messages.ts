/**
 * Writes a batch in one statement: its keys, its messages with their contents, and their quota. The statement is its
 * own transaction, so no lock waits for the next command of this process. If another process was faster, all of it is
 * undone.
 *
 * The statement locks request keys first, then periods. When a period crosses a step of its quota, a trigger then locks
 * the account to count its event. Nobody sees the new rows of messages yet. Only a batch that lost once already holds
 * the periods (`accept-messages.ts`). It may deadlock with the writer of the same key; one of them tries again.
 */
import { categoryRanks, type MessageId, type Network, newId, priorityRanks } from '@kurir/contracts';
import { metrics } from '@kurir/metrics';
import pg from 'pg';
import type { SealingKeys } from '../accounts/account-keys.js';
import { isCode } from '../devices/priority.js';
import { inPeriodOrder, type OpenPeriod } from './grant-quota.js';
import { sealContent } from './message-contents.js';
import { networkMessageIdOf } from './network-message-id.js';
import type { OpenHours } from '../recipients/open-hours.js';
import type { AcceptedMessage, NewMessage } from './new-message.js';
import { insertKeysStatement, keyColumns, type WonKey } from './request-keys.js';

export type Granted = {
  readonly message: NewMessage;
  /** The network of the message's device. */
  readonly network: Network;
  readonly periodId: string | null;
  /** The keys of the message's account. */
  readonly accountKeys: SealingKeys;
  /** The hours of the recipient. Null: at any time. */
  readonly window: OpenHours | null;
};

export type Batch = {
  readonly keys: readonly WonKey[];
  /** At least one. */
  readonly granted: readonly Granted[];
  readonly periods: readonly OpenPeriod[];
};

/** The accepted messages, by id. */
export type Stored = ReadonlyMap<MessageId, AcceptedMessage>;

/**
 * The function `end_contested` raises this error. It must stay volatile, because the planner may evaluate any other
 * function early.
 */
const contested = 'KR001';

const unlessContested = (count: string, expected: string, what: string) =>
  `CASE WHEN ${count} = cardinality(${expected}) THEN true ELSE end_contested('${what}') END`;

/**
 * Each part counts the rows of the part before it, and so runs after it. The quota comes last, because other statements
 * wait for it. All statements lock periods in one order, so that they do not deadlock.
 */
const storeStatement = (last = '') => `
  WITH keys AS (${insertKeysStatement} RETURNING 1),
  stored AS (
    INSERT INTO messages (id, account_id, device_id, key_id, request_id, period_id, priority, category, recipient,
                          client_ref, network_message_id, send_at, waits_until, expires_at, event_count, broadcast_id,
                          window_opens_at, window_closes_at, traceparent)
    SELECT id, account_id, device_id, key_id, request_id, period_id, priority, category, recipient, client_ref, network_message_id, send_at,
           CASE WHEN greatest(send_at, window_opens_at) > now() THEN greatest(send_at, window_opens_at) END,
           GREATEST(send_at, now()) + make_interval(secs => ttl_seconds), 1, broadcast_id, window_opens_at, window_closes_at, traceparent
    FROM unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::uuid[], $12::smallint[], $13::text[],
                $14::text[], $15::text[], $16::timestamptz[], $17::int[], $18::smallint[], $19::text[],
                $20::timestamptz[], $21::timestamptz[], $22::text[]) WITH ORDINALITY
      AS t (id, account_id, device_id, key_id, request_id, period_id, priority, recipient, client_ref,
            network_message_id, send_at, ttl_seconds, category, broadcast_id, window_opens_at, window_closes_at, traceparent,
            position)
    WHERE ${unlessContested('(SELECT count(*) FROM keys)', '$1::text[]', 'request keys')}
    ORDER BY position
    RETURNING id, seq, account_id, device_id, recipient),
  logged AS (
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind)
    SELECT account_id, (SELECT event_generation()), device_id, id, 1, 'message.accepted' FROM stored ORDER BY seq),
  conversations_of AS (
    INSERT INTO conversation_messages (conversation_id, message_id)
    SELECT c.id, stored.id FROM stored CROSS JOIN LATERAL (
      SELECT c.id FROM conversations c
      WHERE c.device_id = stored.device_id AND c.recipient = stored.recipient AND c.alias_of IS NULL LIMIT 1) c),
  contents AS (
    INSERT INTO message_contents (message_id, kind, key_number, sealed, is_code)
    SELECT id, kind, key_number, sealed, ${isCode('priority')}
    FROM unnest($6::text[], $12::smallint[], $23::text[], $24::int[], $25::bytea[]) AS t (id, priority, kind, key_number, sealed)),
  asked AS (SELECT * FROM unnest($26::uuid[], $27::int[]) AS t (id, taken)),
  locked AS MATERIALIZED (
    SELECT p.id FROM subscription_periods p
    WHERE p.id = ANY ($26::uuid[]) AND (SELECT count(*) FROM stored) > 0
    ${inPeriodOrder} FOR UPDATE),
  taken AS (
    UPDATE subscription_periods p SET taken_quota = p.taken_quota + asked.taken
    FROM locked JOIN asked USING (id)
    WHERE p.id = locked.id AND p.taken_quota + p.reserved_quota + asked.taken <= p.initial_quota RETURNING 1)${last}
  SELECT id, seq FROM stored
  WHERE ${unlessContested('(SELECT count(*) FROM taken)', '$26::uuid[]', 'quota')}`;

const storeUnauditedStatement = storeStatement();

/** The same for a batch with messages of people, which need audit rows. */
const storeAuditedStatement = storeStatement(`,
  audited AS (
    INSERT INTO audit_log (id, account_id, actor, action, subject)
    SELECT t.id, stored.account_id, t.actor, t.action, t.subject
    FROM unnest($28::text[], $29::text[], $30::text[], $31::text[], $32::text[]) AS t (id, message_id, actor, action, subject)
    JOIN stored ON stored.id = t.message_id
    RETURNING id, account_id, actor),
  addressed AS (
    INSERT INTO audit_addresses (entry_id, account_id, actor, address)
    SELECT id, audited.account_id, audited.actor, t.address
    FROM unnest($28::text[], $33::text[]) AS t (id, address) JOIN audited USING (id)
    WHERE t.address IS NOT NULL)`);

function auditColumns(granted: readonly Granted[]): unknown[] {
  const audits = granted.flatMap(({ message: { id: messageId, audit } }) =>
    audit === undefined ? [] : [{ id: newId('aud'), messageId, ...audit }],
  );
  const of = <T>(pick: (audit: (typeof audits)[number]) => T) => audits.map(pick);
  return [
    of((a) => a.id),
    of((a) => a.messageId),
    of((a) => a.actor),
    of((a) => a.action),
    of((a) => a.subject),
    of((a) => a.address ?? null),
  ];
}

function messageColumns(granted: readonly Granted[]): unknown[] {
  const of = <T>(pick: (message: NewMessage) => T) => granted.map(({ message }) => pick(message));
  const contents = granted.map(({ message, accountKeys }) =>
    sealContent(accountKeys, message.id, message.input.content),
  );
  return [
    of((m) => m.id),
    of((m) => m.accountId),
    of((m) => m.deviceId),
    of((m) => m.keyId),
    of((m) => m.requestId),
    granted.map(({ periodId }) => periodId),
    of((m) => priorityRanks[m.input.priority]),
    of((m) => m.input.recipient),
    of((m) => m.input.clientRef),
    granted.map(({ message, network }) => networkMessageIdOf(network, message.id)),
    of((m) => m.input.sendAt),
    of((m) => m.input.ttlSeconds),
    of((m) => categoryRanks[m.input.category]),
    of((m) => m.broadcastId ?? null),
    granted.map(({ window }) => window?.opensAt ?? null),
    granted.map(({ window }) => window?.closesAt ?? null),
    of((m) => m.traceparent ?? null),
    contents.map(({ kind }) => kind),
    contents.map(({ keyNumber }) => keyNumber),
    contents.map(({ sealed }) => sealed),
  ];
}

/** Returns null if another process was faster with a key or the quota. Then nothing was stored. */
export async function storeMessages(client: pg.PoolClient, { keys, granted, periods }: Batch): Promise<Stored | null> {
  const takenFrom = periods.filter((period) => period.taken > 0);
  const quotaColumns = [takenFrom.map((period) => period.id), takenFrom.map((period) => period.taken)];
  const values = [...keyColumns(keys), ...messageColumns(granted), ...quotaColumns];
  const statement = granted.some(({ message }) => message.audit !== undefined)
    ? { name: 'store-audited-messages', text: storeAuditedStatement, values: [...values, ...auditColumns(granted)] }
    : { name: 'store-messages', text: storeUnauditedStatement, values };
  try {
    const { rows } = await client.query<{ id: MessageId; seq: bigint }>(statement);
    for (const { message } of granted) metrics.acceptedMessages.add({ priority: message.input.priority });
    return new Map(rows.map(({ id, seq }) => [id, { kind: 'accepted', messageId: id, seq }]));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === contested) return null;
    throw error;
  }
}
