/** Cancels the linking of a device and wakes its worker, which ends the attempt. After the answer no code is shown. */
import { ApiError } from '@kurir/contracts';
import { requestLinkCancel } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

const notPairing = () =>
  new ApiError(
    'DEVICE_NOT_PAIRING',
    'The device is not being linked, so there is nothing to cancel. GET /api/v1/devices/info shows its state.',
  );

export const cancelLink: Handler<'cancelLink'> = async ({ caller, auditAs, deviceId }, { database, queue }) => {
  const { accountId } = caller;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestLinkCancel(database, accountId, id, auditAs('device.link_cancelled')))) throw notPairing();
  await wakeOwner(queue, id);
  return { device_id: id, state: 'disconnected' };
};
