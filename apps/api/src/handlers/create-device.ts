/** Creates a device, once per `client_ref`: a repeat is answered with the first, also when its answer was lost. */
import { ApiError, type BodyOf, defaultNetwork, type DeviceId, isSandbox } from '@kurir/contracts';
import { createRequestedDevice } from '@kurir/database';
import type { Acting } from '../acting.js';
import type { Api } from '../api.js';
import { actingFor, type Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';
import { requirePublicProxy } from './require-public-proxy.js';

export async function makeDevice(
  api: Api,
  acting: Acting,
  body: BodyOf<'createDevice'>,
): Promise<{ deviceId: DeviceId; replayed: boolean }> {
  requirePublicProxy(api, body.proxyUrl);
  if (isSandbox(body.network) && api.simulatorUrl === null)
    throw new ApiError('INVALID_REQUEST', `network: must be ${defaultNetwork}; this gateway has no simulated network.`);
  const creation = await createRequestedDevice(api.database, api, { ...acting, ...body });
  if (creation.kind === 'client-ref-reused')
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'The client_ref belongs to a device that was created with other fields. Send those, or use another client_ref.',
    );
  return { deviceId: creation.deviceId, replayed: creation.kind === 'repeated' };
}

export const createDevice: Handler<'createDevice'> = async ({ caller, body }, api) => {
  const { deviceId, replayed } = await makeDevice(api, actingFor(caller), body);
  const device = await requireDevice(api.database, caller.accountId, deviceId);
  const { id, name, network, state, createdAt } = device;
  const data = { device_id: id, state, created_at: createdAt.toISOString(), name, network };
  return { data, replayed };
};
