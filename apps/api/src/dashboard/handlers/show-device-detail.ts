import type { DashboardData } from '@kurir/contracts/dashboard';
import type { DeviceActivity, DeviceDetails } from '@kurir/database';
import { showDevice } from '../../handlers/show-device.js';

type Shown = DashboardData<'readDeviceWithActivity'>;

/** From so many messages on, and from this part of them failed or unanswered, sending does not go well. */
const fewest = 10;
const tooMany = 0.1;

function healthOf({ state, linked, newContacts }: DeviceDetails, lately: DeviceActivity): Shown['health']['level'] {
  if (state === 'banned' || (linked && state !== 'connected')) return 'down';
  if (newContacts.waiting !== null) return 'restricted';
  if (newContacts.warning !== 'none') return 'slowed';
  const { sent, failed, unknown } = lately;
  const all = sent + failed + unknown;
  return all >= fewest && (failed + unknown) / all >= tooMany ? 'slowed' : 'well';
}

function showPairing({ state, pairingCode, pairingUntil }: DeviceDetails, { pairingMethod }: DeviceActivity) {
  if (state !== 'pairing' || pairingMethod === null) return null;
  return { method: pairingMethod, code: pairingCode, valid_until: pairingUntil?.toISOString() ?? null };
}

export function showDeviceDetail(device: DeviceDetails, activity: DeviceActivity): Shown {
  const { sent, failed, unknown } = activity;
  return {
    ...showDevice(device),
    pairing: showPairing(device, activity),
    linked: device.linked,
    state_at: activity.stateAt.toISOString(),
    last_connected_at: activity.lastConnectedAt?.toISOString() ?? null,
    backlog: activity.backlog,
    health: { level: healthOf(device, activity), sent, failed, unknown },
  };
}
