import { adviceOf, type DataOf } from '@kurir/contracts';
import type { DeviceDetails, NewContacts } from '@kurir/database';

type ShownDevice = DataOf<'updateDevice'>;

function showPairing({ pairingCode, pairingUntil }: DeviceDetails): ShownDevice['pairing'] {
  if (pairingCode === null || pairingUntil === null) return null;
  return { code: pairingCode, valid_until: pairingUntil.toISOString() };
}

function showNewContacts({ waiting, usedToday, networkQuota }: NewContacts): ShownDevice['new_contacts'] {
  return {
    waiting: waiting === null ? null : { reason: waiting.reason, until: waiting.until?.toISOString() ?? null },
    used_today: usedToday,
    network_quota:
      networkQuota === null
        ? null
        : {
            used: networkQuota.used,
            total: networkQuota.total,
            resets_at: networkQuota.resetsAt?.toISOString() ?? null,
          },
  };
}

const dayMs = 86_400_000;

const daysSince = (time: Date | null): number | null =>
  time === null ? null : Math.max(0, Math.floor((Date.now() - time.getTime()) / dayMs));

/** A device as its account sees it: state, politeness, whether strangers wait, and the newest code to link it with. */
export function showDevice(device: DeviceDetails): ShownDevice {
  const { pacePerMinute, paceJitterMs, typingMs, newContactsPerDay } = device.politeness;
  return {
    device_id: device.id,
    name: device.name,
    network: device.network,
    state: device.state,
    state_reason: device.stateReason,
    state_detail: device.stateDetail,
    state_advice: adviceOf(device.stateReason, device.stateDetail, daysSince(device.refusedVersionSeenAt)),
    state_until: device.stateUntil?.toISOString() ?? null,
    phone_number: device.phoneNumber,
    pairing: showPairing(device),
    settings: {
      pace_per_minute: pacePerMinute,
      pace_jitter_ms: paceJitterMs,
      typing_ms: typingMs,
      new_contacts_per_day: newContactsPerDay,
      proxy: device.proxy,
    },
    new_contacts: showNewContacts(device.newContacts),
    created_at: device.createdAt.toISOString(),
  };
}
