import { makeDevice } from '../../handlers/create-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const createDevice: DashboardHandler<'createDevice'> = async ({ visitor, body }, api) => {
  const acting = actingFor(visitor);
  const { deviceId } = await makeDevice(api, acting, body);
  return readShownDevice(api, acting.accountId, deviceId);
};
