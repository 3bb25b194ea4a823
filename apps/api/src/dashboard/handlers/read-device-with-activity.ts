import type { AccountId, DeviceId } from '@kurir/contracts';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { readDeviceActivity, readDeviceDetails } from '@kurir/database';
import type { Api } from '../../api.js';
import { deviceNotFound } from '../../handlers/require-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { showDeviceDetail } from './show-device-detail.js';

/** The account's device as it is now, or 404. */
export async function readShownDevice(
  { database, sealer }: Api,
  accountId: AccountId,
  deviceId: string,
): Promise<DashboardData<'readDeviceWithActivity'>> {
  const [device, activity] = await Promise.all([
    // A text that is no device id is the id of no device.
    readDeviceDetails(database, sealer, accountId, deviceId as DeviceId),
    readDeviceActivity(database, accountId, deviceId),
  ]);
  const own = device === null ? undefined : activity.get(device.id);
  if (device === null || own === undefined) throw deviceNotFound();
  return showDeviceDetail(device, own);
}

export const readDeviceWithActivity: DashboardHandler<'readDeviceWithActivity'> = ({ visitor, params }, api) =>
  readShownDevice(api, visitor.membership.accountId, params.device_id);
