import { stopLink } from '../../handlers/cancel-link.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownDevice } from './read-device.js';

export const cancelLink: DashboardHandler<'cancelLink'> = async ({ visitor, params }, api) => {
  const acting = actingFor(visitor);
  return readShownDevice(api, acting.accountId, await stopLink(api, acting, params.device_id));
};
