import { unlinkDevice as unlink } from '../../handlers/disconnect-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const unlinkDevice: DashboardHandler<'unlinkDevice'> = async ({ visitor, params, callerGone }, api) => {
  const acting = actingFor(visitor);
  return readShownDevice(api, acting.accountId, await unlink(api, acting, params.device_id, callerGone));
};
