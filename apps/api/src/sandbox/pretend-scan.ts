/**
 * Lets a simulated phone use the code that a device shows. The number of the phone is made from the id of the device,
 * or is the number of the pairing code. Two accounts never share a number.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountId, ApiError, isSandbox } from '@kurir/contracts';
import { type DeviceView, isNumberOfAnother, readDeviceActivity } from '@kurir/database';
import type { Api } from '../operations/api.js';
import { requireDevice } from '../devices/require-device.js';
import type { Handler } from '../operations/operation-request.js';
import { requireSimulator, useCode } from './simulated-network.js';

const timeoutMs = 10_000;
const pauseMs = 100;

/** Returns an Indonesian mobile number, always the same one for a device. */
export function simulatedNumberOf(deviceId: string): string {
  const digits = createHash('sha256').update(deviceId).digest().readUIntBE(0, 6) % 1_000_000_000;
  // The simulated network has no phone with a number that ends in 0000.
  return `62899${String(digits).padStart(9, '0')}`.replace(/0000$/, '0001');
}

async function requireOwnNumber({ database }: Api, accountId: AccountId, deviceId: string): Promise<string> {
  const activity = await readDeviceActivity(database, accountId, deviceId);
  const [own] = activity.values();
  const number = own?.pairingNumber ?? simulatedNumberOf(deviceId);
  if (await isNumberOfAnother(database, accountId, number))
    throw new ApiError('NOT_IN_SANDBOX', 'This simulated number belongs to another account. Pair with another number.');
  return number;
}

const notPairing = () =>
  new ApiError('DEVICE_NOT_PAIRING', 'The device is not being linked. Start linking it, then pretend to scan.');

/** Uses the code of the device, if it shows one. */
async function tryCode(
  api: Api,
  { state, pairingCode: code }: Pick<DeviceView, 'state' | 'pairingCode'>,
  number: string,
): Promise<void> {
  if (state !== 'pairing') throw notPairing();
  const how = code?.startsWith('kurir-sim:') ? 'scan' : 'pair';
  if (code !== null) await useCode(requireSimulator(api), number, how, code);
}

async function requirePairing({ database }: Api, accountId: AccountId, deviceId: string): Promise<DeviceView> {
  const device = await requireDevice(database, accountId, deviceId);
  if (!isSandbox(device.network))
    throw new ApiError('NOT_IN_SANDBOX', 'This is a device of a real network: scan the code with its phone.');
  if (device.linked || device.state !== 'pairing') throw notPairing();
  return device;
}

export const pretendScan: Handler<'pretendScan'> = async ({ caller, params, callerGone }, api) => {
  const { accountId } = caller;
  const device = await requirePairing(api, accountId, params.device_id);
  const number = await requireOwnNumber(api, accountId, device.id);
  const [deadline, gone] = [performance.now() + timeoutMs, callerGone()];
  while (!gone.aborted) {
    const { id, linked, state, pairingCode } = await requireDevice(api.database, accountId, device.id);
    if (linked && state === 'connected') return { device_id: id, state };
    if (!linked) await tryCode(api, { state, pairingCode }, number);
    if (performance.now() > deadline)
      throw new ApiError(
        'DEVICE_TIMEOUT',
        'The device was not linked in time. It may be linked later: look at its state.',
      );
    await sleep(pauseMs);
  }
  return { device_id: device.id, state: device.state };
};
