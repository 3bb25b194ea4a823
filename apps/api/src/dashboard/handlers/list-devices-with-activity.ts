import { listDeviceDetails, readDeviceActivity } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showDeviceDetail } from './show-device-detail.js';

export const listDevicesWithActivity: DashboardHandler<'listDevicesWithActivity'> = async (
  { visitor },
  { database, sealer },
) => {
  const { accountId } = visitor.membership;
  const [devices, activity] = await Promise.all([
    listDeviceDetails(database, sealer, accountId),
    readDeviceActivity(database, accountId),
  ]);
  // A device that was made between the two readings is in the next answer.
  const shown = devices.flatMap((device) => {
    const own = activity.get(device.id);
    return own === undefined ? [] : [showDeviceDetail(device, own)];
  });
  return { devices: shown };
};
