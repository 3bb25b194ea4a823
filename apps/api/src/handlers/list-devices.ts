import type { DataOf } from '@kurir/contracts';
import { type DeviceView, listDevices as readDevices } from '@kurir/database';
import type { Handler } from '../verified-request.js';

type ShownDevice = DataOf<'listDevices'>['devices'][number];

function showPairing({ pairingCode, pairingUntil }: DeviceView): ShownDevice['pairing'] {
  if (pairingCode === null || pairingUntil === null) return null;
  return { code: pairingCode, valid_until: pairingUntil.toISOString() };
}

function showDevice(device: DeviceView): ShownDevice {
  return {
    device_id: device.id,
    name: device.name,
    network: device.network,
    state: device.state,
    state_reason: device.stateReason,
    phone_number: device.phoneNumber,
    pairing: showPairing(device),
    created_at: device.createdAt.toISOString(),
  };
}

export const listDevices: Handler<'listDevices'> = async ({ caller }, { database }) => {
  const devices = await readDevices(database, caller.accountId);
  return { data: { devices: devices.map(showDevice) } };
};
