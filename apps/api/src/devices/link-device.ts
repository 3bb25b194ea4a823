/** Requests the linking and wakes a worker, which shows the codes. A second request begins again with a new code. */
import { ApiError, isNetwork, type NetworkDeclaration, networks, type PairingMethod } from '@kurir/contracts';
import { requestLink } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { requireDevice } from './require-device.js';

/** Lets unknown networks pass: a newer version may have added one, and its worker decides. */
function requirePairing(network: string, method: PairingMethod): void {
  if (!isNetwork(network)) return;
  const { title, pairing }: NetworkDeclaration = networks[network];
  if (pairing.includes(method)) return;
  throw new ApiError('INVALID_REQUEST', `method: ${title} links a device only by ${pairing.join(' or ')}.`);
}

const alreadyLinked = () =>
  new ApiError(
    'DEVICE_ALREADY_LINKED',
    'The device is already linked to a messaging account. To link it again, disconnect it first.',
  );

export const linkDevice: Handler<'linkDevice'> = async ({ caller, auditAs, deviceId, body }, { database, queue }) => {
  const { accountId } = caller;
  const { id, network } = await requireDevice(database, accountId, deviceId);
  requirePairing(network, body.method);
  const audit = auditAs('device.link_requested');
  if (!(await requestLink(database, accountId, id, body, audit))) throw alreadyLinked();
  await wakeOwner(queue, id);
  return { device_id: id, state: 'pairing' };
};
