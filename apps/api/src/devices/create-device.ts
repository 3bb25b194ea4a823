/** Creates a device, once per `client_ref`. A repeat gets the first device, for example after a lost answer. */
import { ApiError, defaultNetwork, isSandbox } from '@kurir/contracts';
import { createRequestedDevice } from '@kurir/database';
import type { Api } from '../operations/api.js';
import { type Handler, Replayed } from '../operations/operation-request.js';
import { requireSandboxNetwork } from '../operations/test-keys.js';
import { requireDevice } from './require-device.js';
import { requirePublicProxy } from './require-public-proxy.js';

function requireNetwork({ simulatorUrl }: Api, network: string): void {
  if (!isSandbox(network) || simulatorUrl !== null) return;
  throw new ApiError(
    'INVALID_REQUEST',
    `network: must be ${defaultNetwork}, because this gateway has no simulated network.`,
  );
}

const refReused = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'The client_ref belongs to a device that was created with other fields. Send the same fields, or use another client_ref.',
  );

const tooManyDevices = (max: number) =>
  new ApiError(
    'DEVICE_LIMIT_REACHED',
    `The plan of this account allows ${max} devices. Use one that is there, or choose a plan with more devices.`,
  );

export const createDevice: Handler<'createDevice'> = async ({ caller, auditAs, body }, api) => {
  const { accountId } = caller;
  requirePublicProxy(api, body.proxyUrl);
  requireNetwork(api, body.network);
  requireSandboxNetwork(caller, body.network);
  const made = await createRequestedDevice(api.database, api, { accountId, ...body }, auditAs('device.created'));
  if (made.kind === 'client-ref-reused') throw refReused();
  if (made.kind === 'too-many') throw tooManyDevices(made.max);
  const { id, name, network, state, createdAt } = await requireDevice(api.database, accountId, made.deviceId);
  const data = { device_id: id, state, created_at: createdAt.toISOString(), name, network };
  return made.kind === 'repeated' ? new Replayed(data) : data;
};
