/** Reads the account's devices with their activity: the backlog and the health of each device. */
import type { DashboardData } from '@kurir/contracts/dashboard';
import { ApiFailure } from '../http/api-failure.js';
import { readQuery } from '../http/query.js';
import type { Device } from './state.js';

/** Leaves out a device that was created while the gateway read the list: it has no activity until the next answer. */
const withActivity = ({ devices }: DashboardData<'listDevices'>): Device[] =>
  devices.flatMap(({ activity, ...device }) => (activity === undefined ? [] : [{ ...device, activity }]));

export const devicesQuery = () => ({
  ...readQuery('listDevices', { query: { include: 'activity' } }),
  select: withActivity,
});

/** How many devices the account may have. */
export const maxDevicesQuery = () => ({
  ...readQuery('listDevices', { query: { include: 'activity' } }),
  select: ({ devices, max_devices: max }: DashboardData<'listDevices'>) => ({ count: devices.length, max }),
});

function onlyOne(answer: DashboardData<'listDevices'>): Device {
  const [device] = withActivity(answer);
  if (device === undefined) throw new ApiFailure('DEVICE_NOT_FOUND', 'The account has no such device.', null);
  return device;
}

/** Reads one device. Fails with `DEVICE_NOT_FOUND` if the account does not have it. */
export const deviceQuery = (deviceId: string) => ({
  ...readQuery('listDevices', { query: { include: 'activity', device_id: deviceId } }),
  select: onlyOne,
});
