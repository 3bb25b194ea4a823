/** Asks the worker that holds the device to show or stop typing. Nothing is stored; it goes past every backlog. */
import { type AccountId, ApiError, type BodyOf, isNetwork, limits, networks } from '@kurir/contracts';
import { readLeaseOwner } from '@kurir/database';
import { callPresence, type PresenceAnswer } from '@kurir/queue';
import type { Api } from '../api.js';
import type { Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

const notConnected = () =>
  new ApiError('DEVICE_NOT_CONNECTED', 'The device is not connected. Link or reconnect it, then try again.');

const failures: Record<Exclude<PresenceAnswer, 'taken'>, () => ApiError> = {
  'not-connected': notConnected,
  timeout: () =>
    new ApiError(
      'DEVICE_TIMEOUT',
      `The device did not take the signal within ${limits.presenceTimeoutMs} ms. Try again if it still matters.`,
    ),
  unavailable: () =>
    new ApiError(
      'SERVICE_UNAVAILABLE',
      'Typing signals cannot be passed on at the moment. Try again shortly; sending messages still works.',
      {
        retryAfterSeconds: 2,
      },
    ),
};

/** A network of a newer version is left to its worker. */
function requireTyping(network: string): void {
  if (!isNetwork(network) || networks[network].hasTyping) return;
  throw new ApiError('INVALID_REQUEST', `X-Device-Id: ${networks[network].title} shows nobody that somebody types.`);
}

export async function signalTyping(
  api: Api,
  accountId: AccountId,
  deviceId: string,
  signal: BodyOf<'chatPresence'>,
): Promise<void> {
  const device = await requireDevice(api.database, accountId, deviceId);
  requireTyping(device.network);
  const owner = device.state === 'connected' ? await readLeaseOwner(api.database, device.id) : null;
  if (owner === null) throw notConnected();
  const answer = await callPresence(api.queue, { deviceId: device.id, owner, ...signal }, limits.presenceTimeoutMs);
  if (answer !== 'taken') throw failures[answer]();
}

export const chatPresence: Handler<'chatPresence'> = async ({ caller, deviceId, body }, api) => {
  await signalTyping(api, caller.accountId, deviceId, body);
  return { data: {} };
};
