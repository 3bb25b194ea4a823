import { askToReconnect } from '../../handlers/reconnect-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const reconnectDevice: DashboardHandler<'reconnectDevice'> = async ({ visitor, params }, api) => {
  const acting = actingFor(visitor);
  return readShownDevice(api, acting.accountId, await askToReconnect(api, acting, params.device_id));
};
