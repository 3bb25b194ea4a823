/** A device's outbound proxy. Its address may hold a password, so it is sealed. */
import type { AccountId, DeviceId } from '@kurir/contracts';
import type { Database } from './connect.js';
import type { Sealer } from './sealer.js';

const aadOf = (deviceId: DeviceId) => `device-proxy|${deviceId}`;

/** `socks5://` or `http://`; null: none. From the next connection on. False when the account has no such device. */
export async function writeDeviceProxy(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
  deviceId: DeviceId,
  url: string | null,
): Promise<boolean> {
  const sealed = url === null ? null : sealer.seal(Buffer.from(url), aadOf(deviceId));
  const { rowCount } = await database.pool.query(
    `UPDATE devices SET proxy_sealed = $3 WHERE account_id = $1 AND id = $2`,
    [accountId, deviceId, sealed],
  );
  return rowCount === 1;
}

/** Throws `RecordUnreadable` when it was damaged or sealed under another master key. */
export function openDeviceProxy(sealer: Sealer, deviceId: DeviceId, sealed: Uint8Array): string {
  return sealer.open(sealed, aadOf(deviceId)).toString();
}
