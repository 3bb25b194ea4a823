import { ApiError, isSandbox } from '@kurir/contracts';
import { requireDevice } from '../devices/require-device.js';
import type { Handler } from '../operations/operation-request.js';
import { requireSimulator, writeFrom } from './simulated-network.js';
import { requireNumber } from './require-number.js';

export const writeFromPhone: Handler<'writeFromPhone'> = async ({ caller, params, body }, api) => {
  const simulatorUrl = requireSimulator(api);
  const number = requireNumber(params.number, caller.country);
  const device = await requireDevice(api.database, caller.accountId, body.deviceId);
  if (!isSandbox(device.network))
    throw new ApiError('NOT_IN_SANDBOX', 'This is a device of a real network: write to it with a real phone.');
  const to = device.linked ? device.phoneNumber : null;
  const id = to === null ? null : await writeFrom(simulatorUrl, number, to, body.text);
  if (id === null)
    throw new ApiError(
      'DEVICE_NOT_LINKED',
      'The device is not linked, so the phone cannot write to it. Link the device first.',
    );
  return {
    network_message_id: id,
    job_id: null,
    direction: 'from_phone',
    device_id: device.id,
    text: body.text,
    at: new Date(api.now()).toISOString(),
  };
};
