import { adviceOf, type DataOf, looseLimitAdvice, type Politeness } from '@kurir/contracts';
import type { DeviceDetails, NewContacts } from '@kurir/database';
import type { Caller } from '../operations/caller.js';
import { hasRole } from '../sign-in/visitor.js';

type ShownDevice = DataOf<'updateDevice'>;

function showPairing({ pairingCode, pairingUntil }: DeviceDetails): ShownDevice['pairing'] {
  if (pairingCode === null || pairingUntil === null) return null;
  return { code: pairingCode, valid_until: pairingUntil.toISOString() };
}

function showNewContacts(contacts: NewContacts): ShownDevice['new_contacts'] {
  const { waiting, networkQuota, left, warning } = contacts;
  return {
    waiting: waiting === null ? null : { reason: waiting.reason, until: waiting.until?.toISOString() ?? null },
    allowance: contacts.allowance,
    used_today: contacts.usedToday,
    left: left?.forAll ?? null,
    left_for_codes: left?.forCodes ?? null,
    paused_until: contacts.pausesUntil?.toISOString() ?? null,
    warning: warning === 'none' ? null : warning,
    advice: contacts.isLoose ? looseLimitAdvice : null,
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

function policyOf(limit: Politeness['newContactsPerDay']): ShownDevice['settings']['new_contacts_policy'] {
  if (limit === 'automatic') return limit;
  return limit === null ? 'unlimited' : 'fixed';
}

/** The code links the device to the phone that scans it, so only a caller who may link devices sees it. */
function mayLink(caller: Caller): boolean {
  return caller.by === 'key'
    ? caller.scopes.length === 0 || caller.scopes.includes('devices:write')
    : hasRole(caller.visitor, 'developer');
}

/** Shows a device to a caller of its account. */
export function showDevice(device: DeviceDetails, caller: Caller): ShownDevice {
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
    pairing: mayLink(caller) ? showPairing(device) : null,
    settings: {
      pace_per_minute: pacePerMinute,
      pace_jitter_ms: paceJitterMs,
      typing_ms: typingMs,
      groups: device.groups,
      new_contacts_policy: policyOf(newContactsPerDay),
      new_contacts_per_day: device.storedContactLimit,
      proxy: device.proxy,
    },
    new_contacts: showNewContacts(device.newContacts),
    health: device.health,
    created_at: device.createdAt.toISOString(),
  };
}
