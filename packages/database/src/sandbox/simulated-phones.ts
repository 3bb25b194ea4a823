/** The data of the sandbox: recipients of an account's simulated devices, and its own messages in a phone's inbox. */
import { type AccountId, type DeviceId, type MessageId, sandboxNetworks } from '@kurir/contracts';
import { knownAs } from '../messages/network-message-id.js';
import type { Database } from '../postgres/connect.js';

/** Only this many of the account's newest messages are read. */
const looksAt = 20_000;

export type WrittenTo = { readonly number: string; readonly messages: number; readonly lastAt: Date };

export type PhonePage = {
  /** Digits that the number contains. */
  readonly search: string | null;
  readonly limit: number;
  readonly cursor: string | null;
};

/** A cursor that no answer gave reads from the start. */
function momentOf(ms: string): Date | null {
  const at = new Date(Number(ms));
  return Number.isNaN(at.getTime()) ? null : at;
}

const cursorOf = ({ lastAt, number }: WrittenTo): string => `${lastAt.getTime()}.${number}`;

/** The numbers that the account's simulated devices tried to reach lately, latest first. */
export async function listWrittenTo(
  database: Database,
  accountId: AccountId,
  { search, limit, cursor }: PhonePage,
): Promise<{ readonly phones: WrittenTo[]; readonly nextCursor: string | null }> {
  const [beforeMs = null, afterNumber = ''] = cursor?.split('.') ?? [];
  const { rows } = await database.lists.query<WrittenTo>(
    `SELECT recipient AS number, count(*)::int AS messages, max(created_at) AS "lastAt"
     FROM (SELECT recipient, device_id, created_at, attempts FROM messages WHERE account_id = $1
           ORDER BY seq DESC LIMIT ${looksAt}) newest
     WHERE attempts > 0 AND device_id IN (SELECT id FROM devices WHERE account_id = $1 AND network = ANY ($2::text[]))
       AND ($3::text IS NULL OR strpos(recipient, $3) > 0)
     GROUP BY recipient
     HAVING $4::timestamptz IS NULL OR max(created_at) < $4 OR (max(created_at) = $4 AND recipient > $5)
     ORDER BY max(created_at) DESC, recipient LIMIT $6 + 1`,
    [accountId, sandboxNetworks, search, beforeMs === null ? null : momentOf(beforeMs), afterNumber, limit],
  );
  const phones = rows.slice(0, limit);
  const last = phones.at(-1);
  return { phones, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

export type OwnSent = { readonly id: MessageId; readonly deviceId: DeviceId };

/**
 * The account's own messages among these ids of the network. So nobody sees the messages of another account. `LIMIT`
 * keeps the device behind its message: Postgres would else look up each id for each device of the account.
 */
export async function findOwnSent(
  database: Database,
  accountId: AccountId,
  networkMessageIds: readonly string[],
): Promise<Map<string, OwnSent>> {
  const { rows } = await database.pool.query<OwnSent & { networkMessageId: string }>(
    `SELECT m.network_message_id AS "networkMessageId", m.id, m.device_id AS "deviceId"
     FROM unnest($2::text[]) AS shown (id) CROSS JOIN LATERAL (
       ${knownAs('shown.id', { columns: 'm.*' })}) m
     CROSS JOIN LATERAL (SELECT d.account_id, d.network FROM devices d WHERE d.id = m.device_id LIMIT 1) d
     WHERE d.account_id = $1 AND d.network = ANY ($3::text[])`,
    [accountId, networkMessageIds, sandboxNetworks],
  );
  return new Map(rows.map(({ networkMessageId, ...sent }) => [networkMessageId, sent]));
}

/** Returns true if a linked simulated device of another account has this number. */
export async function isNumberOfAnother(database: Database, accountId: AccountId, number: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `SELECT 1 FROM devices WHERE phone_number = $2 AND network = ANY ($3::text[]) AND linked AND account_id <> $1`,
    [accountId, number, sandboxNetworks],
  );
  return (rowCount ?? 0) > 0;
}
