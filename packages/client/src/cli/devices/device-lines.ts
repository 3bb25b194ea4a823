/** Shows devices to people. */
import type { Device } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { type Field, harmless, tableLines } from '../terminal/layout.js';
import { fromNow, localTime } from '../terminal/moments.js';

const orNone = (count: number | null, unit: string): string => (count === null ? 'none' : `${count}${unit}`);

export function deviceFields(device: Device, nowMs: number): Field[] {
  const { settings, newContacts } = device;
  return [
    ['device', device.deviceId],
    ['name', device.name],
    ['state', device.state],
    ['reason', reasonText(device.stateReason, device.stateDetail)],
    ['advice', device.stateAdvice],
    ['until', device.stateUntil === null ? null : localTime(device.stateUntil)],
    ['number', device.phoneNumber],
    ['pace', orNone(settings.pacePerMinute, ' a minute')],
    ['jitter', `${settings.paceJitterMs} ms`],
    ['typing', `${settings.typingMs} ms`],
    ['contacts', contactsText(device)],
    ['waiting', waitingText(device)],
    ['warning', newContacts.warning === null ? null : `${newContacts.warning} warning of the network`],
    ['risk', newContacts.advice],
    ['quota', quotaText(device)],
    ['proxy', settings.proxy],
    ['health', device.health],
    ['created', fromNow(device.createdAt, nowMs)],
  ];
}

/** `temporarily_banned (wrote_to_too_many_strangers)`, or null. */
export function reasonText(reason: string | null, detail: string | null): string | null {
  return reason === null || detail === null ? reason : `${reason} (${detail})`;
}

/** `12 of 20 new contacts today (automatic), 4 left, 8 for codes`. */
function contactsText({ settings, newContacts: { allowance, usedToday, left, leftForCodes } }: Device): string {
  const of = `${usedToday} of ${allowance ?? 'any'} new contacts today (${settings.newContactsPolicy})`;
  return left === null || leftForCodes === null ? of : `${of}, ${left} left, ${leftForCodes} for codes`;
}

/** Says why messages to new contacts wait. Null if they do not wait. */
function waitingText({ newContacts: { waiting } }: Device): string | null {
  if (waiting === null) return null;
  const until = waiting.until === null ? 'a setting changes' : localTime(waiting.until);
  return `messages to new contacts, until ${until} (${waiting.reason})`;
}

function quotaText({ newContacts: { networkQuota } }: Device): string | null {
  return networkQuota === null ? null : `${networkQuota.used} of ${networkQuota.total} new chats of the network`;
}

export function deviceTable(devices: readonly Device[], { paint, clock }: Cli): string[] {
  if (devices.length === 0) return ['No devices.'];
  const rows = devices.map((device) => [
    device.deviceId,
    device.state,
    device.network,
    device.phoneNumber ?? '-',
    fromNow(device.createdAt, clock.now()),
    device.name,
    `${device.newContacts.usedToday}/${device.newContacts.allowance ?? 'any'} new`,
    // An older gateway does not send it.
    device.health ?? '-',
    reasonText(device.stateReason, device.stateDetail) ?? waitingText(device) ?? '',
  ]);
  return [
    ...tableLines(rows, (cell, column) => (column === 8 ? paint.dim(cell) : cell)),
    ...adviceLines(devices).map(paint.dim),
  ];
}

/** `dev_…  well  waiting 2 otp, 0 normal, 40 bulk, 1 later  sent 900, failed 3, unknown 0  Toko`. */
export function activityTable(devices: readonly Device[], { paint }: Cli): string[] {
  if (devices.length === 0) return ['No devices.'];
  const rows = devices.map(({ deviceId, state, name, activity }) => {
    if (activity === undefined) return [deviceId, state, '-', '-', name];
    const { backlog, health } = activity;
    return [
      deviceId,
      health.level,
      `waiting ${backlog.otp} otp, ${backlog.normal} normal, ${backlog.bulk} bulk, ${backlog.scheduled} later`,
      `sent ${health.sent}, failed ${health.failed}, unknown ${health.unknown}`,
      name,
    ];
  });
  return tableLines(rows, (cell, column) => (column === 1 && cell !== 'well' ? paint.red(cell) : cell));
}

/** Each advice once, even if it concerns several devices. */
function adviceLines(devices: readonly Device[]): string[] {
  const advices = new Set(devices.flatMap(({ stateAdvice }) => stateAdvice ?? []));
  return [...advices].map(harmless);
}
