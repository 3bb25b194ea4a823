/**
 * Requests the unlinking, wakes the worker and waits until the device is unlinked. A second request changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountId, ApiError, type DeviceId, limits } from '@kurir/contracts';
import { type Database, readDevice, requestUnlink } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

const firstPauseMs = 10;
const longestPauseMs = 200;

/** Returns whether the device is unlinked before the deadline. Ends early if the caller has gone or its key is revoked. */
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

const notLinked = () =>
  new ApiError('DEVICE_NOT_LINKED', 'The device is not linked to a messaging account, so there is nothing to unlink.');

const notYet = () =>
  new ApiError(
    'DEVICE_TIMEOUT',
    `The device was not unlinked within ${limits.disconnectTimeoutMs / 1000} s. The gateway is still unlinking it. Ask GET /api/v1/devices/info until its state is disconnected.`,
  );

export const disconnectDevice: Handler<'disconnectDevice'> = async (request, { database, queue }) => {
  const { caller, auditAs, deviceId, callerGone } = request;
  const { accountId } = caller;
  const { id } = await requireDevice(database, accountId, deviceId);
  if (!(await requestUnlink(database, accountId, id, auditAs('device.unlink_requested')))) throw notLinked();
  await wakeOwner(queue, id);
  const gone = callerGone();
  if (!(await waitUntilUnlinked(database, accountId, id, gone)))
    throw gone.reason instanceof ApiError ? gone.reason : notYet();
  return { device_id: id };
};
