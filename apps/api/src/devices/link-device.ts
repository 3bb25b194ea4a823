/** Requests the linking and wakes a worker, which shows the codes. A second request begins again with a new code. */
import { ApiError, isNetwork, limits, type NetworkDeclaration, networks, type PairingMethod } from '@kurir/contracts';
import { requestLinkWithinLimit } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { countAttempt } from '../sign-in/count-attempt.js';
import { requireDevice } from './require-device.js';

/** Lets unknown networks pass: a newer version may have added one, and its worker decides. */
function requirePairing(network: string, method: PairingMethod): void {
  if (!isNetwork(network)) return;
  const { title, pairing }: NetworkDeclaration = networks[network];
  if (pairing.includes(method)) return;
  throw new ApiError('INVALID_REQUEST', `method: ${title} links a device only by ${pairing.join(' or ')}.`);
}

/** Networks watch addresses that begin many links. */
const linkRule = { max: limits.linksPerHour, windowSeconds: 3_600 };

/** Each device that is being linked is a connection from the operator's address to the network. */
const tooManyPairing = () =>
  new ApiError(
    'DEVICE_LIMIT_REACHED',
    `${limits.pairingMaxDevices} devices of this account are being linked. Finish or cancel one of them first.`,
  );

const alreadyLinked = () =>
  new ApiError(
    'DEVICE_ALREADY_LINKED',
    'The device is already linked to a messaging account. To link it again, disconnect it first.',
  );

export const linkDevice: Handler<'linkDevice'> = async ({ caller, auditAs, deviceId, body }, api) => {
  const { accountId } = caller;
  const { database, queue } = api;
  const { id, network } = await requireDevice(database, accountId, deviceId);
  requirePairing(network, body.method);
  await countAttempt(api.attempts, `link:${accountId}`, linkRule, 'links');
  const audit = auditAs('device.link_requested');
  const asked = await requestLinkWithinLimit(database, accountId, id, body, audit);
  if (asked === 'too-many') throw tooManyPairing();
  if (asked === 'not-started') throw alreadyLinked();
  await wakeOwner(queue, id);
  return { device_id: id, state: 'pairing' };
};
