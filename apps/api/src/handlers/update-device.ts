/** Stores what was changed and rings the holder, who goes by it from then on. */
import { changeDevice, readDeviceDetails, recordAudit } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Handler } from '../verified-request.js';
import { deviceNotFound, requireDevice } from './require-device.js';
import { showDevice } from './show-device.js';

export const updateDevice: Handler<'updateDevice'> = async ({ caller, deviceId, body }, api) => {
  const { database, sealer, queue } = api;
  const { accountId, keyId } = caller;
  const { id } = await requireDevice(database, accountId, deviceId);
  await changeDevice(database, sealer, accountId, id, body);
  await recordAudit(database, { accountId, actor: keyId, action: 'device.changed', subject: id });
  await wakeHolder(queue, id);
  const changed = await readDeviceDetails(database, sealer, accountId, id);
  if (changed === null) throw deviceNotFound();
  return { data: showDevice(changed) };
};
