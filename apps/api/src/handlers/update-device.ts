/** Stores what was changed and rings the holder, who goes by it from then on. */
import type { BodyOf } from '@kurir/contracts';
import { changeDevice, type DeviceDetails, readDeviceDetails } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { deviceNotFound, requireDevice } from './require-device.js';
import { requirePublicProxy } from './require-public-proxy.js';
import { showDevice } from './show-device.js';

export async function changeDeviceSettings(
  api: Api,
  { accountId, actor }: Acting,
  deviceId: string,
  changes: BodyOf<'updateDevice'>,
): Promise<DeviceDetails> {
  const { database, sealer, queue } = api;
  requirePublicProxy(api, changes.proxyUrl);
  const { id } = await requireDevice(database, accountId, deviceId);
  await changeDevice(database, sealer, accountId, id, changes, { accountId, actor, action: 'device.changed' });
  await wakeHolder(queue, id);
  const changed = await readDeviceDetails(database, sealer, accountId, id);
  if (changed === null) throw deviceNotFound();
  return changed;
}

export const updateDevice: Handler<'updateDevice'> = async ({ caller, deviceId, body }, api) => ({
  data: showDevice(await changeDeviceSettings(api, actingFor(caller), deviceId, body)),
});
