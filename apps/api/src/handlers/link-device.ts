/** Stores the wish to link and rings for a holder, who shows the codes. Asking again begins anew, with a new code. */
import { ApiError } from '@kurir/contracts';
import { recordAudit, requestLink } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export const linkDevice: Handler<'linkDevice'> = async ({ caller, deviceId, body }, { database, queue }) => {
  const { accountId, keyId } = caller;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestLink(database, accountId, id, body)))
    throw new ApiError(
      'DEVICE_ALREADY_LINKED',
      'The device is linked to a messaging account already. To link it anew, disconnect it first.',
    );
  await recordAudit(database, { accountId, actor: keyId, action: 'device.link_requested', subject: id });
  await wakeHolder(queue, id);
  return { data: { device_id: id, state: 'pairing' } };
};
