/** One account as an operator sees it: who uses it, its devices and limits, and what became of its messages. */
import type { AccountId, DeviceId, DeviceState, MessageStatus, Network } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import { shownReason, shownState } from '../devices/device-condition.js';
import { readDeviceCounts } from '../devices/device-limits.js';
import { allowanceOfDevice } from '../devices/new-contacts.js';
import type { Database } from '../postgres/connect.js';

export type AccountDevice = {
  readonly id: DeviceId;
  readonly name: string;
  readonly network: Network;
  readonly state: DeviceState;
  readonly stateReason: string | null;
  readonly stateDetail: string | null;
  readonly lastConnectedAt: Date | null;
  readonly pacePerMinute: number | null;
  readonly newContactsPerDay: number | null;
  readonly waiting: number;
};

export type AccountDetail = {
  readonly members: readonly { readonly email: string; readonly role: MemberRole }[];
  /** At most 500 of `deviceCount`, those with the most waiting messages first. */
  readonly devices: readonly AccountDevice[];
  readonly deviceCount: number;
  readonly maxDevices: number;
  readonly apiKeys: number;
  readonly webhooks: number;
  readonly messages24h: readonly { readonly status: MessageStatus; readonly messages: number }[];
};

const deviceStatement = `
  SELECT d.id, d.name, d.network, ${shownState} AS state, ${shownReason} AS "stateReason", d.state_detail AS "stateDetail",
    d.last_connected_at AS "lastConnectedAt", d.pace_per_minute AS "pacePerMinute",
    ${allowanceOfDevice} AS "newContactsPerDay",
    (SELECT count(*)::int FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NULL)
    + (SELECT count(*)::int FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NOT NULL)
      AS waiting
  FROM devices d JOIN device_leases l ON l.device_id = d.id LEFT JOIN device_health h ON h.device_id = d.id
  WHERE d.account_id = $1 AND d.deleted_at IS NULL ORDER BY waiting DESC, d.id LIMIT 500`;

/** The counted messages are the newest of those of 24 hours, at most a million. */
const messageStatement = `
  SELECT status, count(*)::int AS messages
  FROM (SELECT status FROM messages WHERE account_id = $1 AND created_at > now() - interval '24 hours'
        ORDER BY seq DESC LIMIT 1000000) lately
  GROUP BY status ORDER BY messages DESC, status`;

const countStatement = `
  SELECT id, (SELECT count(*)::int FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL) AS "apiKeys",
    (SELECT count(*)::int FROM webhooks WHERE account_id = $1) AS webhooks
  FROM accounts WHERE id = $1 AND erasure_begun_at IS NULL`;

/** Null if there is no such account. The statements follow each other on the pool for lists. */
export async function readAccountDetail(database: Database, accountId: string): Promise<AccountDetail | null> {
  const rowsOf = async <Row extends object>(text: string) => (await database.lists.query<Row>(text, [accountId])).rows;
  const [found] = await rowsOf<{ id: AccountId } & Pick<AccountDetail, 'apiKeys' | 'webhooks'>>(countStatement);
  if (found === undefined) return null;
  const { id, ...counts } = found;
  const members = await rowsOf<AccountDetail['members'][number]>(
    'SELECT u.email, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 ORDER BY m.joined_at, u.id',
  );
  const devices = await rowsOf<AccountDevice>(deviceStatement);
  const { devices: deviceCount, max: maxDevices } = await readDeviceCounts(database, id);
  const messages24h = await rowsOf<AccountDetail['messages24h'][number]>(messageStatement);
  return { members, devices, deviceCount, maxDevices, ...counts, messages24h };
}
