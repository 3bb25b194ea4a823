import type { DataOf } from '@kurir/contracts';
import type { DeviceActivity, DeviceDetails } from '@kurir/database';

type Shown = NonNullable<DataOf<'listDevices'>['devices'][number]['activity']>;

/** A device with enough messages is `slowed` if at least this share of them failed or got no answer. */
const fewestMessages = 10;
const slowedShare = 0.1;

function healthOf({ state, linked, newContacts }: DeviceDetails, lately: DeviceActivity): Shown['health']['level'] {
  if (state === 'banned' || (linked && state !== 'connected')) return 'down';
  if (newContacts.waiting !== null) return 'restricted';
  if (newContacts.warning !== 'none') return 'slowed';
  const { sent, failed, unknown } = lately;
  const all = sent + failed + unknown;
  return all >= fewestMessages && (failed + unknown) / all >= slowedShare ? 'slowed' : 'well';
}

export function showActivity(device: DeviceDetails, activity: DeviceActivity): Shown {
  const { sent, failed, unknown, backlog, stateAt, lastConnectedAt, pairingMethod } = activity;
  return {
    linked: device.linked,
    state_since: stateAt.toISOString(),
    last_connected_at: lastConnectedAt?.toISOString() ?? null,
    pairing_method: device.state === 'pairing' ? pairingMethod : null,
    backlog,
    health: { level: healthOf(device, activity), sent, failed, unknown },
  };
}
