import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

export const deviceInfo: Handler<'deviceInfo'> = async ({ caller, deviceId }, { database }) => {
  const device = await requireDevice(database, caller.accountId, deviceId);
  return { device_id: device.id, state: device.state, created_at: device.createdAt.toISOString() };
};
