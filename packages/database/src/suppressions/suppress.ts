/**
 * Suppresses people: the rows, and the end of what waits for them, in one transaction. An acceptance may cross it, so the
 * claim asks again (`claim-message.ts`), and the sweep ends what such an acceptance stored (`settle-suppressions.ts`). A
 * second run adds nothing and ends what waits.
 */
import {
  type AccountId,
  categoryRanks,
  type InboundId,
  type SuppressionReason,
  type SuppressionScope,
  sandboxNetworks,
} from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys, FingerprintKeys } from '../accounts/account-keys.js';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { moveColumns, moveOnce } from '../messages/write-status.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { recipientKeyOf } from '../recipients/suppressed.js';

export type NewSuppression = {
  readonly accountId: AccountId;
  /** Phone numbers, or ids of people who hide theirs. */
  readonly recipients: readonly string[];
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  /** The message in which the person asked for it. */
  readonly sourceId: InboundId | null;
  /** A key or a person. Null: the recipient. */
  readonly actor: string | null;
};

/** `added` are the recipients that were not suppressed before. */
export type Suppressed = { readonly added: readonly string[]; readonly cancelled: number };

/** Ends this many messages at once. The sweep ends the rest. */
export const endedAtOnce = 1_000;

/** A message with an unanswered try may have gone out. */
const endColumns = moveColumns({
  id: 'm.id',
  to: `CASE WHEN m.unanswered > 0 THEN 'unknown' ELSE 'cancelled' END`,
  reason: `CASE WHEN m.unanswered > 0 THEN 'no_answer' ELSE 'recipient_suppressed' END`,
});

/** Selects moves. `from` are messages. Their lock keeps one that a claim takes meanwhile from being moved. */
export const endWaiting = (from: (waiting: string) => string) =>
  `SELECT ${endColumns} FROM ${from(`SELECT m.id, m.unanswered FROM messages m WHERE m.stage < 2 AND m.status = 'queued'`)}`;

/** In the caller's transaction, which must be repeated after a deadlock. */
export async function suppressIn(
  client: pg.PoolClient,
  { fingerprintKey }: FingerprintKeys,
  { accountId, recipients, scope, reason, sourceId, actor }: NewSuppression,
): Promise<Suppressed> {
  const rows = recipients
    .map((recipient) => ({ recipient, key: recipientKeyOf(fingerprintKey, recipient) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
  const { rows: added } = await client.query<{ recipient: string }>({
    name: 'add-suppressions',
    text: `INSERT INTO suppressions (account_id, recipient_key, recipient, scope, reason, source_id, actor)
           SELECT $1, key, recipient, $4, $5, $6, $7 FROM unnest($2::bytea[], $3::text[]) AS t (key, recipient)
           ON CONFLICT (account_id, recipient_key, scope) DO UPDATE SET recipient = excluded.recipient, settled_at = NULL
             WHERE suppressions.recipient IS NULL
           RETURNING recipient`,
    values: [
      accountId,
      rows.map(({ key }) => key),
      rows.map(({ recipient }) => recipient),
      scope,
      reason,
      sourceId,
      actor,
    ],
  });
  const ended = await moveOnce(
    client,
    'end-suppressed',
    endWaiting(
      (waiting) => `(${waiting} AND m.account_id = $1 AND m.recipient = ANY ($2::text[])
        AND ($3 = 'all' OR m.category = ${categoryRanks.marketing}) ORDER BY m.id LIMIT ${endedAtOnce} FOR NO KEY UPDATE) m`,
    ),
    [accountId, recipients, scope],
  );
  return {
    added: added.map(({ recipient }) => recipient),
    cancelled: ended.filter(({ status }) => status === 'cancelled').length,
  };
}

/** The other ids of the people of these numbers, as conversations show them. */
async function withUserIds({ pool }: Database, accountId: AccountId, phones: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>({
    name: 'read-user-ids-of-phones',
    text: `SELECT DISTINCT user_id AS "userId" FROM conversations WHERE phone = ANY ($2::text[]) AND account_id = $1 AND user_id IS NOT NULL`,
    values: [accountId, phones],
  });
  return [...new Set([...phones, ...rows.map(({ userId }) => userId)])];
}

export type SuppressionWish = Omit<NewSuppression, 'recipients' | 'sourceId'> & { readonly phones: readonly string[] };

/** Returns how many of the people were not suppressed before, and how many waiting messages it cancelled. */
export async function suppress(
  database: Database,
  accountKeys: AccountKeys,
  { phones, ...wish }: SuppressionWish,
  audit: Audit | undefined,
): Promise<{ readonly added: number; readonly cancelled: number }> {
  const keys = await accountKeys.fingerprinting(wish.accountId);
  const recipients = await withUserIds(database, wish.accountId, phones);
  return inTransaction(database.pool, async (client) => {
    const { added, cancelled } = await suppressIn(client, keys, { ...wish, recipients, sourceId: null });
    const asked = new Set(phones);
    if (audit !== undefined && added.length > 0) await noteAudit(client, audit, null);
    return { added: added.filter((recipient) => asked.has(recipient)).length, cancelled };
  });
}

/**
 * Null as `scope`: both. `onlyOfSandbox`: only those that a message to a device of a sandbox network made. A pretend phone
 * cannot take back what a real person asked for. Returns how many rows went.
 */
export async function liftSuppressionsIn(
  client: pg.PoolClient | pg.Pool,
  { fingerprintKey }: FingerprintKeys,
  {
    accountId,
    recipients,
    scope,
    onlyOfSandbox = false,
  }: Pick<NewSuppression, 'accountId' | 'recipients'> & { scope: SuppressionScope | null; onlyOfSandbox?: boolean },
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'lift-suppressions',
    text: `DELETE FROM suppressions s WHERE account_id = $1 AND recipient_key = ANY ($2::bytea[]) AND ($3::text IS NULL OR scope = $3)
             AND (NOT $4::boolean OR EXISTS (SELECT FROM inbound_messages i JOIN devices d ON d.id = i.device_id
               WHERE i.id = s.source_id AND d.network = ANY ($5::text[])))`,
    values: [
      accountId,
      recipients.map((recipient) => recipientKeyOf(fingerprintKey, recipient)),
      scope,
      onlyOfSandbox,
      sandboxNetworks,
    ],
  });
  return rowCount ?? 0;
}

/** `phone` may be the network's id of a person who hides it. Returns whether the person was suppressed. */
export async function liftSuppression(
  database: Database,
  accountKeys: AccountKeys,
  { accountId, phone, scope }: { accountId: AccountId; phone: string; scope: SuppressionScope | null },
  audit: Audit | undefined,
): Promise<boolean> {
  const keys = await accountKeys.fingerprinting(accountId);
  const recipients = await withUserIds(database, accountId, [phone]);
  return inTransaction(database.pool, async (client) => {
    const lifted = await liftSuppressionsIn(client, keys, { accountId, recipients, scope });
    if (audit !== undefined && lifted > 0) await noteAudit(client, audit, null);
    return lifted > 0;
  });
}

/** A person turned out to have this id and this number: what holds for one holds for the other. */
export async function joinSuppressions(
  client: pg.PoolClient,
  { fingerprintKey }: FingerprintKeys,
  accountId: AccountId,
  [userId, phone]: readonly [string, string],
): Promise<void> {
  for (const [from, to] of [
    [userId, phone],
    [phone, userId],
  ] as const)
    await client.query({
      name: 'join-suppressions',
      text: `INSERT INTO suppressions (account_id, recipient_key, recipient, scope, reason, source_id, actor)
             SELECT account_id, $3, $4, scope, reason, source_id, actor FROM suppressions
             WHERE account_id = $1 AND recipient_key = $2 ON CONFLICT DO NOTHING`,
      values: [accountId, recipientKeyOf(fingerprintKey, from), recipientKeyOf(fingerprintKey, to), to],
    });
}
