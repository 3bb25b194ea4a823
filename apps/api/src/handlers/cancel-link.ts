/** Takes the wish to link back and rings the holder, who ends the attempt. The code is gone from the answer on. */
import { ApiError } from '@kurir/contracts';
import { recordAudit, requestLinkCancel } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export const cancelLink: Handler<'cancelLink'> = async ({ caller, deviceId }, { database, queue }) => {
  const { accountId, keyId } = caller;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestLinkCancel(database, accountId, id)))
    throw new ApiError(
      'DEVICE_NOT_PAIRING',
      'The device is not being linked; there is nothing to cancel. GET /api/v1/devices/info shows its state.',
    );
  await recordAudit(database, { accountId, actor: keyId, action: 'device.link_cancelled', subject: id });
  await wakeHolder(queue, id);
  return { data: { device_id: id, state: 'disconnected' } };
};
