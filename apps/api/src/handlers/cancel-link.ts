/** Takes the wish to link back and rings the holder, who ends the attempt. The code is gone from the answer on. */
import { ApiError, type DeviceId } from '@kurir/contracts';
import { requestLinkCancel } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export async function stopLink({ database, queue }: Api, acting: Acting, deviceId: string): Promise<DeviceId> {
  const { accountId, actor } = acting;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestLinkCancel(database, accountId, id, { accountId, actor, action: 'device.link_cancelled' })))
    throw new ApiError(
      'DEVICE_NOT_PAIRING',
      'The device is not being linked; there is nothing to cancel. GET /api/v1/devices/info shows its state.',
    );
  await wakeHolder(queue, id);
  return id;
}

export const cancelLink: Handler<'cancelLink'> = async ({ caller, deviceId }, api) => {
  const id = await stopLink(api, actingFor(caller), deviceId);
  return { data: { device_id: id, state: 'disconnected' } };
};
