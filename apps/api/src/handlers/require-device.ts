import { type AccountId, ApiError } from '@kurir/contracts';
import { type Database, type DeviceView, readDevice } from '@kurir/database';

export const deviceNotFound = () =>
  new ApiError('DEVICE_NOT_FOUND', 'X-Device-Id names no device of this account. Take the id from the dashboard.');

/** The account's device, or 404; another account's answers exactly as one that does not exist. */
export async function requireDevice(database: Database, accountId: AccountId, deviceId: string): Promise<DeviceView> {
  const device = await readDevice(database, accountId, deviceId);
  if (device !== null) return device;
  throw deviceNotFound();
}
