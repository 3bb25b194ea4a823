import type { AccountId, ApiError } from '@kurir/contracts';
import { type Database, type DeviceView, readDevice } from '@kurir/database';
import { refusalOf } from '../messages/accept.js';

export const deviceNotFound = (): ApiError => refusalOf({ code: 'DEVICE_NOT_FOUND' });

/** Returns the account's device, or throws 404. The device of another account gets the same 404. */
export async function requireDevice(database: Database, accountId: AccountId, deviceId: string): Promise<DeviceView> {
  const device = await readDevice(database, accountId, deviceId);
  if (device !== null) return device;
  throw deviceNotFound();
}
