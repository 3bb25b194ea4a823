import { startLink } from '../../handlers/link-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const linkDevice: DashboardHandler<'linkDevice'> = async ({ visitor, params, body }, api) => {
  const acting = actingFor(visitor);
  return readShownDevice(api, acting.accountId, await startLink(api, acting, params.device_id, body));
};
