/** Asks the worker that holds the device to start or stop typing. It stores nothing and does not wait in the lane. */
import { ApiError, isNetwork, limits, networks } from '@kurir/contracts';
import { readLeaseOwner } from '@kurir/database';
import { callPresence, type PresenceAnswer } from '@kurir/queue';
import { requireOwnChat } from '../conversations/require-own-chat.js';
import { requireRecipient } from '../conversations/require-recipient.js';
import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

const notConnected = () =>
  new ApiError('DEVICE_NOT_CONNECTED', 'The device is not connected. Link or reconnect it, then try again.');

const failures: Record<Exclude<PresenceAnswer, 'taken'>, () => ApiError> = {
  'not-connected': notConnected,
  timeout: () =>
    new ApiError(
      'DEVICE_TIMEOUT',
      `The device did not confirm the typing signal within ${limits.presenceTimeoutMs} ms. Send it again if you still need it.`,
    ),
  unavailable: () =>
    new ApiError(
      'SERVICE_UNAVAILABLE',
      'Typing signals cannot be sent at the moment. Try again shortly. The api still accepts messages.',
      {
        retryAfterSeconds: 2,
      },
    ),
};

/** Lets unknown networks pass: a newer version may have added one, and its worker decides. */
function requireTyping(network: string): void {
  if (!isNetwork(network) || networks[network].hasTyping) return;
  throw new ApiError(
    'INVALID_REQUEST',
    `X-Device-Id: ${networks[network].title} has no typing signals. Use a device of another network.`,
  );
}

export const chatPresence: Handler<'chatPresence'> = async ({ caller, deviceId, body }, { database, queue }) => {
  requireOwnChat(caller, body.conversationId);
  const device = await requireDevice(database, caller.accountId, deviceId);
  requireTyping(device.network);
  const { action, conversationId } = body;
  const recipient =
    conversationId === undefined
      ? body.recipient
      : await requireRecipient(database, { accountId: caller.accountId, deviceId: device.id }, conversationId);
  const owner = device.state === 'connected' ? await readLeaseOwner(database, device.id) : null;
  if (owner === null) throw notConnected();
  const answer = await callPresence(queue, { deviceId: device.id, owner, recipient, action }, limits.presenceTimeoutMs);
  if (answer !== 'taken') throw failures[answer]();
  return {};
};
