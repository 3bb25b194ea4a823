/** Ends the contest of a device and rings its holder, who connects it. Asking twice is asking once. */
import { ApiError, type DeviceId } from '@kurir/contracts';
import { requestReconnect } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export async function askToReconnect({ database, queue }: Api, acting: Acting, deviceId: string): Promise<DeviceId> {
  const { accountId, actor } = acting;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestReconnect(database, accountId, id, { accountId, actor, action: 'device.reconnect_requested' })))
    throw new ApiError(
      'DEVICE_NOT_LINKED',
      'The device is not linked to a messaging account. Link it with POST /api/v1/devices/link.',
    );
  await wakeHolder(queue, id);
  return id;
}

export const reconnectDevice: Handler<'reconnectDevice'> = async ({ caller, deviceId }, api) => {
  const id = await askToReconnect(api, actingFor(caller), deviceId);
  const { state } = await requireDevice(api.database, caller.accountId, id);
  return { data: { device_id: id, state } };
};
