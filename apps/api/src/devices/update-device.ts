/** Stores the new settings and wakes the worker, which applies them at once. */
import { changeDevice, readDeviceDetails } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { deviceNotFound, requireDevice } from './require-device.js';
import { requirePublicProxy } from './require-public-proxy.js';
import { showDevice } from './show-device.js';

export const updateDevice: Handler<'updateDevice'> = async ({ caller, auditAs, deviceId, body }, api) => {
  const { database, sealer, queue } = api;
  const { accountId } = caller;
  requirePublicProxy(api, body.proxyUrl);
  const { id } = await requireDevice(database, accountId, deviceId);
  await changeDevice(database, sealer, accountId, id, body, auditAs('device.changed'));
  await wakeOwner(queue, id);
  const changed = await readDeviceDetails(database, sealer, accountId, id);
  if (changed === null) throw deviceNotFound();
  return showDevice(changed, caller);
};
