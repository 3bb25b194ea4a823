import { changeDeviceSettings } from '../../handlers/update-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const changeDevice: DashboardHandler<'changeDevice'> = async ({ visitor, params, body }, api) => {
  const acting = actingFor(visitor);
  const { id } = await changeDeviceSettings(api, acting, params.device_id, body);
  return readShownDevice(api, acting.accountId, id);
};
