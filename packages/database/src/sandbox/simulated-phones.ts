/** The data of the sandbox: recipients of an account's simulated devices, and its own messages in a phone's inbox. */
import { type AccountId, type DeviceId, type MessageId, sandboxNetworks } from '@kurir/contracts';
import { knownAs } from '../messages/network-message-id.js';
import type { Database } from '../postgres/connect.js';

/** Only this many of the account's newest messages are read. */
const looksAt = 5_000;
const shown = 100;

export type WrittenTo = { readonly number: string; readonly messages: number; readonly lastAt: Date };

/** The numbers that the account's simulated devices tried to reach lately, latest first. */
export async function listWrittenTo(database: Database, accountId: AccountId): Promise<WrittenTo[]> {
  const { rows } = await database.pool.query<WrittenTo>(
    `SELECT recipient AS number, count(*)::int AS messages, max(created_at) AS "lastAt"
     FROM (SELECT recipient, device_id, created_at, attempts FROM messages WHERE account_id = $1
           ORDER BY seq DESC LIMIT ${looksAt}) newest
     WHERE attempts > 0 AND device_id IN (SELECT id FROM devices WHERE account_id = $1 AND network = ANY ($2::text[]))
     GROUP BY recipient ORDER BY max(created_at) DESC, recipient LIMIT ${shown}`,
    [accountId, sandboxNetworks],
  );
  return rows;
}

export type OwnSent = { readonly id: MessageId; readonly deviceId: DeviceId };

/** The account's own messages among these ids of the network. So nobody sees the messages of another account. */
export async function findOwnSent(
  database: Database,
  accountId: AccountId,
  networkMessageIds: readonly string[],
): Promise<Map<string, OwnSent>> {
  const { rows } = await database.pool.query<OwnSent & { networkMessageId: string }>(
    `SELECT m.network_message_id AS "networkMessageId", m.id, m.device_id AS "deviceId"
     FROM unnest($2::text[]) AS shown (id) CROSS JOIN LATERAL (
       ${knownAs('shown.id', { columns: 'm.*' })}) m
     JOIN devices d ON d.id = m.device_id WHERE d.account_id = $1 AND d.network = ANY ($3::text[])`,
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
