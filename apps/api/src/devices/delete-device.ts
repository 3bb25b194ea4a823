/**
 * Deletes a device that is not linked. After an unlinking, its messages end and its worker lets it go within seconds;
 * the request waits for that. A second request finds no device.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type DeviceId } from '@kurir/contracts';
import { deleteDevice as remove, type DeviceDeletion, failMessagesOfUnlinked } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { deviceNotFound, requireDevice } from './require-device.js';

const longestWaitMs = 5_000;
const pauseMs = 100;

const sentences: Readonly<Record<Exclude<DeviceDeletion, 'deleted' | 'not-found'>, string>> = {
  linked: 'The device is linked to a messaging account. Unlink it first with POST /api/v1/devices/disconnect.',
  pairing: 'The device is being linked. Stop that first with POST /api/v1/devices/link/cancel.',
  held: 'The device was unlinked just now, and its worker has not let it go. Try again in a few seconds.',
  'has-messages': 'The device was unlinked just now, and its messages have not ended. Try again in a few seconds.',
  'has-broadcast':
    'Messages of a paused broadcast wait on the device. Cancel the broadcast, or resume it with another device in its device_ids.',
};

const hasMessages = (deletion: DeviceDeletion) => deletion === 'has-messages' || deletion === 'has-broadcast';

const passesSoon = (deletion: DeviceDeletion) => deletion === 'held' || hasMessages(deletion);

export const deleteDevice: Handler<'deleteDevice'> = async (request, { database }) => {
  const { caller, auditAs, params, callerGone } = request;
  const { accountId } = caller;
  const { id } = await requireDevice(database, accountId, params.device_id);
  const gone = callerGone();
  const deadline = performance.now() + longestWaitMs;
  const attempt = async (deviceId: DeviceId) => {
    const deletion = await remove(database, accountId, deviceId, auditAs('device.deleted'));
    if (hasMessages(deletion)) await failMessagesOfUnlinked(database, deviceId);
    return deletion;
  };
  let deletion = await attempt(id);
  while (passesSoon(deletion) && performance.now() < deadline && !gone.aborted) {
    await sleep(pauseMs);
    deletion = await attempt(id);
  }
  if (deletion === 'not-found') throw deviceNotFound();
  if (deletion !== 'deleted') throw new ApiError('DEVICE_IN_USE', sentences[deletion]);
  return { device_id: id };
};
