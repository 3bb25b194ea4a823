/** Creates a device, once per `client_ref`: a repeat is answered with the first, also when its answer was lost. */
import { ApiError } from '@kurir/contracts';
import { createRequestedDevice } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export const createDevice: Handler<'createDevice'> = async ({ caller, body }, { database, sealer }) => {
  const { accountId, keyId } = caller;
  const creation = await createRequestedDevice(database, sealer, { accountId, actor: keyId, ...body });
  if (creation.kind === 'client-ref-reused')
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'The client_ref belongs to a device that was created with other fields. Send those, or use another client_ref.',
    );
  const { id, name, network, state, createdAt } = await requireDevice(database, accountId, creation.deviceId);
  const data = { device_id: id, state, created_at: createdAt.toISOString(), name, network };
  return { data, replayed: creation.kind === 'repeated' };
};
