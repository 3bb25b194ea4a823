import { type AccountId, type DeviceId, isSandbox } from '@kurir/contracts';
import {
  type DeviceDetails,
  listDeviceDetails,
  readDeviceActivity,
  readDeviceCounts,
  readDeviceDetails,
} from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Handler } from '../operations/operation-request.js';
import { byTestKey } from '../operations/test-keys.js';
import { deviceNotFound } from './require-device.js';
import { showActivity } from './show-activity.js';
import { showDevice } from './show-device.js';

async function readDetails(
  { database, sealer }: Api,
  accountId: AccountId,
  deviceId: string | null,
): Promise<DeviceDetails[]> {
  if (deviceId === null) return listDeviceDetails(database, sealer, accountId);
  // A text that is not a device id finds no device.
  const device = await readDeviceDetails(database, sealer, accountId, deviceId as DeviceId);
  if (device === null) throw deviceNotFound();
  return [device];
}

export const listDevices: Handler<'listDevices'> = async ({ caller, query }, api) => {
  const { accountId } = caller;
  const { deviceId, withActivity } = query;
  const [devices, activity, { max }] = await Promise.all([
    readDetails(api, accountId, deviceId),
    withActivity ? readDeviceActivity(api.database, accountId, deviceId) : null,
    readDeviceCounts(api.database, accountId),
  ]);
  const visible = byTestKey(caller) ? devices.filter(({ network }) => isSandbox(network)) : devices;
  const shown = visible.map((device) => {
    // A device that was created between the two queries has no activity yet.
    const own = activity?.get(device.id);
    const seen = showDevice(device, caller);
    return own === undefined ? seen : { ...seen, activity: showActivity(device, own) };
  });
  return { devices: shown, max_devices: max };
};
