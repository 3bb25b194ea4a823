/** Stores the wish to unlink, rings the holder and waits until it has happened. Asking twice is asking once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountId, ApiError, type DeviceId, limits } from '@kurir/contracts';
import { type Database, readDevice, requestUnlink } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

const firstPauseMs = 10;
const longestPauseMs = 200;

/** Whether it is unlinked before the deadline. Ends early when nobody waits for the answer any more. */
async function waitUntilUnlinked(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + limits.disconnectTimeoutMs;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const device = await readDevice(database, accountId, deviceId);
    if (device === null || !device.linked) return true;
    if (performance.now() >= deadline) return false;
    await sleep(pauseMs);
  }
  return false;
}

export async function unlinkDevice(
  api: Api,
  { accountId, actor }: Acting,
  deviceId: string,
  callerGone: () => AbortSignal,
): Promise<DeviceId> {
  const device = await requireDevice(api.database, accountId, deviceId);
  if (
    !(await requestUnlink(api.database, accountId, device.id, { accountId, actor, action: 'device.unlink_requested' }))
  )
    throw new ApiError(
      'DEVICE_NOT_LINKED',
      'The device is not linked to a messaging account; there is nothing to unlink.',
    );
  await wakeHolder(api.queue, device.id);
  if (await waitUntilUnlinked(api.database, accountId, device.id, callerGone())) return device.id;
  const sentence = `The device was not unlinked within ${limits.disconnectTimeoutMs / 1000} s. It still will be: ask GET /api/v1/devices/info until its state is disconnected.`;
  throw new ApiError('DEVICE_TIMEOUT', sentence);
}

export const disconnectDevice: Handler<'disconnectDevice'> = async ({ caller, deviceId, callerGone }, api) => {
  const id = await unlinkDevice(api, actingFor(caller), deviceId, callerGone);
  return { data: { device_id: id } };
};
