/** Clears the reason `contested` and wakes the worker, which connects the device. A second request changes nothing. */
import { ApiError } from '@kurir/contracts';
import { requestReconnect } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

const notLinked = () =>
  new ApiError(
    'DEVICE_NOT_LINKED',
    'The device is not linked to a messaging account. Link it with POST /api/v1/devices/link.',
  );

export const reconnectDevice: Handler<'reconnectDevice'> = async ({ caller, auditAs, deviceId }, api) => {
  const { accountId } = caller;
  const { id } = await requireDevice(api.database, accountId, deviceId);
  if (!(await requestReconnect(api.database, accountId, id, auditAs('device.reconnect_requested')))) throw notLinked();
  await wakeOwner(api.queue, id);
  const { state } = await requireDevice(api.database, accountId, id);
  return { device_id: id, state };
};
