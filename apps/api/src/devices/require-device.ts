import type { AccountId, ApiError } from '@kurir/contracts';
import { type Database, type DeviceView, readDevice } from '@kurir/database';
import { refusalOf } from '../messages/accept.js';

export const deviceNotFound = (): ApiError => refusalOf('DEVICE_NOT_FOUND');

/** The account's device, or 404; another account's answers exactly as one that does not exist. */
export async function requireDevice(database: Database, accountId: AccountId, deviceId: string): Promise<DeviceView> {
  const device = await readDevice(database, accountId, deviceId);
  if (device !== null) return device;
  throw deviceNotFound();
}
