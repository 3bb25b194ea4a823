/** Stores the wish to link and rings for a holder, who shows the codes. Asking again begins anew, with a new code. */
import {
  ApiError,
  type DeviceId,
  isNetwork,
  type NetworkDeclaration,
  networks,
  type PairingMethod,
} from '@kurir/contracts';
import { requestLink } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

type Pairing = Parameters<typeof requestLink>[3];

/** A network of a newer version is left to its worker. */
function requirePairing(network: string, method: PairingMethod): void {
  if (!isNetwork(network)) return;
  const { title, pairing }: NetworkDeclaration = networks[network];
  if (pairing.includes(method)) return;
  throw new ApiError('INVALID_REQUEST', `method: ${title} links a device only by ${pairing.join(' or ')}.`);
}

export async function startLink(
  { database, queue }: Api,
  { accountId, actor }: Acting,
  deviceId: string,
  pairing: Pairing,
): Promise<DeviceId> {
  const { id, network } = await requireDevice(database, accountId, deviceId);
  requirePairing(network, pairing.method);
  if (!(await requestLink(database, accountId, id, pairing, { accountId, actor, action: 'device.link_requested' })))
    throw new ApiError(
      'DEVICE_ALREADY_LINKED',
      'The device is linked to a messaging account already. To link it anew, disconnect it first.',
    );
  await wakeHolder(queue, id);
  return id;
}

export const linkDevice: Handler<'linkDevice'> = async ({ caller, deviceId, body }, api) => {
  const id = await startLink(api, actingFor(caller), deviceId, body);
  return { data: { device_id: id, state: 'pairing' } };
};
