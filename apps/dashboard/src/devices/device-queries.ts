/** The account's devices as the pages read them: with what waits on each and how sending goes. */
import type { DashboardData } from '@kurir/contracts/dashboard';
import { ApiFailure } from '../http/api-failure.js';
import { readQuery } from '../http/query.js';
import type { Device } from './state.js';

/** A device that was made while the gateway read them has no activity yet: it is in the next answer. */
const withActivity = ({ devices }: DashboardData<'listDevices'>): Device[] =>
  devices.flatMap(({ activity, ...device }) => (activity === undefined ? [] : [{ ...device, activity }]));

export const devicesQuery = () => ({
  ...readQuery('listDevices', { query: { include: 'activity' } }),
  select: withActivity,
});

function onlyOne(answer: DashboardData<'listDevices'>): Device {
  const [device] = withActivity(answer);
  if (device === undefined) throw new ApiFailure('DEVICE_NOT_FOUND', 'The device is not ready yet. Try again.', null);
  return device;
}

/** One device; a failure `DEVICE_NOT_FOUND` where the account does not have it. */
export const deviceQuery = (deviceId: string) => ({
  ...readQuery('listDevices', { query: { include: 'activity', device_id: deviceId } }),
  select: onlyOne,
});
