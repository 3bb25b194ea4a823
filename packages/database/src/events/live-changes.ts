/** The states of devices for live pages, including changes that no event reports. */
import type { AccountId, DeviceId, DeviceState } from '@kurir/contracts';
import { shownState } from '../devices/device-condition.js';
import type { Database } from '../postgres/connect.js';

export type ShownDevice = { readonly accountId: AccountId; readonly deviceId: DeviceId; readonly state: DeviceState };

export async function readShownDevices(database: Database, deviceIds: readonly DeviceId[]): Promise<ShownDevice[]> {
  const { rows } = await database.pool.query<ShownDevice>({
    name: 'read-shown-devices',
    text: `SELECT d.account_id AS "accountId", d.id AS "deviceId", ${shownState} AS state
           FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.id = ANY ($1::text[])`,
    values: [deviceIds],
  });
  return rows;
}

/**
 * Devices that are no longer shown as `connected` because their lease ended less than `withinMs` ago. Nothing is
 * written when a lease ends, so there is no event.
 */
export async function readLapsedDevices(
  database: Database,
  accountIds: readonly AccountId[],
  withinMs: number,
): Promise<ShownDevice[]> {
  const { rows } = await database.pool.query<ShownDevice>({
    name: 'read-lapsed-devices',
    text: `SELECT d.account_id AS "accountId", d.id AS "deviceId", ${shownState} AS state
           FROM devices d JOIN device_leases l ON l.device_id = d.id
           WHERE d.account_id = ANY ($1::text[]) AND d.state = 'connected'
             AND l.expires_at <= now() AND l.expires_at > now() - make_interval(secs => $2::float8 / 1000)`,
    values: [accountIds, withinMs],
  });
  return rows;
}
