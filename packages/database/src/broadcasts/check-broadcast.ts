/** Fixes the list of a broadcast, and says what would happen if it started now. It sends nothing and reserves nothing. */
import { type AccountId, type BroadcastId, type DeviceId, renderTemplate } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { readAccountInfo } from '../accounts/accounts.js';
import { type Database, withConnection } from '../postgres/connect.js';
import { countNeverOpen, neverOpenZones } from './release/broadcast-hours.js';
import { countTooOften } from './release/read-too-often.js';
import { type LockedBroadcast, lockBroadcast } from './state/broadcast-state.js';
import { openText, openValues, parsedText } from './state/broadcast-text.js';
import { closeList } from './create-broadcast.js';

export type Sample = { readonly recipient: string; readonly text: string };

export type DeviceShare = {
  readonly deviceId: DeviceId;
  /** Recipients whom the device knows. */
  readonly known: number;
  readonly pacePerMinute: number | null;
};

export type BroadcastCheck = {
  readonly shares: readonly DeviceShare[];
  /** Recipients whom no device of the broadcast knows. */
  readonly newContacts: number;
  /** Before the start: recipients for whom no hour of the window is ever open. */
  readonly neverOpen: number;
  /** Recipients who get as many marketing messages a day without it as it allows. */
  readonly tooOften: number;
  /** Null: the plan is unlimited. */
  readonly remainingQuota: number | null;
  readonly samples: readonly Sample[];
};

const sampleCount = 5;

type PendingRow = { position: number; recipient: string; keyNumber: number | null; sealed: Buffer | null };

async function readSamples(
  database: Database,
  accountKeys: AccountKeys,
  broadcast: LockedBroadcast,
): Promise<readonly Sample[]> {
  const text = await openText(accountKeys, broadcast);
  if (text === null) return [];
  const { id, accountId } = broadcast;
  const { rows } = await database.lists.query<PendingRow>(
    `SELECT position, recipient, key_number AS "keyNumber", sealed FROM broadcast_recipients
     WHERE broadcast_id = $1 AND state = 0 ORDER BY position LIMIT ${sampleCount}`,
    [id],
  );
  const numbers = [...new Set(rows.flatMap(({ keyNumber }) => keyNumber ?? []))];
  const keyOf = await accountKeys.opening(numbers.map((number) => ({ accountId, number })));
  const template = parsedText(text);
  return rows.flatMap((row): Sample[] => {
    const values = openValues(keyOf, broadcast, row);
    if (values === null) return [];
    const rendering = renderTemplate(template, values, { recipient: row.recipient, seed: id });
    return rendering.kind === 'text' ? [{ recipient: row.recipient, text: rendering.text }] : [];
  });
}

async function readShares({ lists }: Database, { id, deviceIds }: LockedBroadcast) {
  const { rows } = await lists.query<DeviceShare & { deviceId: DeviceId | null }>(
    `SELECT d.id AS "deviceId", d.pace_per_minute AS "pacePerMinute",
       (SELECT count(*)::int FROM broadcast_recipients r WHERE r.broadcast_id = $1 AND r.state = 0 AND r.device_id = d.id) AS known
     FROM devices d WHERE d.id = ANY ($2::text[]) ORDER BY d.id`,
    [id, deviceIds],
  );
  const counted = await lists.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM broadcast_recipients WHERE broadcast_id = $1 AND state = 0 AND device_id IS NULL`,
    [id],
  );
  return { shares: rows, newContacts: counted.rows[0]?.n ?? 0 };
}

/** Null: the account has no such broadcast. */
export async function checkBroadcast(
  database: Database,
  accountKeys: AccountKeys,
  whose: { readonly id: BroadcastId; readonly accountId: AccountId },
): Promise<BroadcastCheck | null> {
  const broadcast = await withConnection(database.pool, (client) => lockBroadcast(client, whose));
  if (broadcast === null) return null;
  await closeList(database, whose.id);
  const account = await readAccountInfo(database, whose.accountId);
  const closed = broadcast.roundAt === null ? neverOpenZones(broadcast, new Date()) : [];
  return {
    ...(await readShares(database, broadcast)),
    neverOpen: broadcast.roundAt === null ? await countNeverOpen(database.lists, broadcast, null) : 0,
    tooOften: await countTooOften(database.lists, broadcast, closed),
    remainingQuota: account === null ? 0 : account.remainingQuota,
    samples: await readSamples(database, accountKeys, broadcast),
  };
}
