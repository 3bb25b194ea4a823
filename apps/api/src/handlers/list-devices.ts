import { listDeviceDetails } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { showDevice } from './show-device.js';

export const listDevices: Handler<'listDevices'> = async ({ caller }, { database, sealer }) => {
  const devices = await listDeviceDetails(database, sealer, caller.accountId);
  return { data: { devices: devices.map(showDevice) } };
};
