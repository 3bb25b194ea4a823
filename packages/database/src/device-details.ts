/** A device with all that its account may know of it: how it spares its number, and whether strangers wait. */
import type { AccountId, DeviceId } from '@kurir/contracts';
import type { Database } from './connect.js';
import { showDeviceProxy } from './device-proxy.js';
import type { Politeness } from './device-settings.js';
import { type DeviceView, type ViewRow, viewColumns, viewOf } from './devices.js';
import { isNewOfToday } from './new-contacts.js';
import type { Sealer } from './sealer.js';

export type NewContacts = {
  /** While messages to people whom the device neither wrote to nor heard from wait; null: they go out. */
  readonly waiting: {
    /** `daily_limit` is the device's own; anything else is the network's word. */
    readonly reason: string;
    /** Null: until a setting changes. */
    readonly until: Date | null;
  } | null;
  readonly usedToday: number;
  /** Where the network counts them. */
  readonly networkQuota: { readonly used: number; readonly total: number; readonly resetsAt: Date | null } | null;
};

export type DeviceDetails = DeviceView & {
  readonly politeness: Politeness;
  /** Without its password; null: none. */
  readonly proxy: string | null;
  readonly newContacts: NewContacts;
  /** While the network refuses the version of its client: when this gateway first saw that version. */
  readonly refusedVersionSeenAt: Date | null;
};

type DetailRow = ViewRow & {
  pace_per_minute: number | null;
  pace_jitter_ms: number;
  new_contacts_per_day: number | null;
  typing_ms: number;
  proxy_sealed: Buffer | null;
  blocked_until: Date | null;
  new_contacts_reason: string | null;
  new_chats_used: number | null;
  new_chats_total: number | null;
  new_chats_reset_at: Date | null;
  used_today: number;
  limit_until: Date | null;
  refused_version_seen_at: Date | null;
};

/** The day's limit ends when the oldest of the newest so many is a day old. */
const detailColumns = `${viewColumns}, d.pace_per_minute, d.pace_jitter_ms, d.new_contacts_per_day, d.typing_ms,
  d.proxy_sealed, CASE WHEN d.new_contacts_blocked_until > now() THEN d.new_contacts_blocked_until END AS blocked_until,
  d.new_contacts_reason, d.new_chats_used, d.new_chats_total, d.new_chats_reset_at,
  (SELECT count(*)::int FROM device_contacts c WHERE c.device_id = d.id AND ${isNewOfToday}) AS used_today,
  CASE WHEN d.new_contacts_per_day > 0 THEN (
    SELECT c.wrote_at + interval '24 hours' FROM device_contacts c WHERE c.device_id = d.id AND ${isNewOfToday}
    ORDER BY c.wrote_at DESC OFFSET d.new_contacts_per_day - 1 LIMIT 1) END AS limit_until,
  CASE WHEN d.state_reason = 'client_outdated' THEN (
    SELECT v.first_seen_at FROM whatsapp_versions v WHERE v.version = d.state_detail) END AS refused_version_seen_at`;

const fromDevices = `SELECT ${detailColumns} FROM devices d JOIN device_leases l ON l.device_id = d.id`;

export async function listDeviceDetails(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
): Promise<DeviceDetails[]> {
  const { rows } = await database.pool.query<DetailRow>(
    `${fromDevices} WHERE d.account_id = $1 ORDER BY d.created_at, d.id`,
    [accountId],
  );
  return rows.map((row) => detailsOf(sealer, row));
}

/** The account's device, or null: another account's device does not exist. */
export async function readDeviceDetails(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
  deviceId: DeviceId,
): Promise<DeviceDetails | null> {
  const { rows } = await database.pool.query<DetailRow>(`${fromDevices} WHERE d.account_id = $1 AND d.id = $2`, [
    accountId,
    deviceId,
  ]);
  const [row] = rows;
  return row === undefined ? null : detailsOf(sealer, row);
}

function detailsOf(sealer: Sealer, row: DetailRow): DeviceDetails {
  return {
    ...viewOf(row),
    politeness: {
      pacePerMinute: row.pace_per_minute,
      paceJitterMs: row.pace_jitter_ms,
      newContactsPerDay: row.new_contacts_per_day,
      typingMs: row.typing_ms,
    },
    proxy: row.proxy_sealed === null ? null : showDeviceProxy(sealer, row.id, row.proxy_sealed),
    newContacts: { waiting: waitingOf(row), usedToday: row.used_today, networkQuota: quotaOf(row) },
    refusedVersionSeenAt: row.refused_version_seen_at,
  };
}

/** Whichever ends last. */
function waitingOf(row: DetailRow): NewContacts['waiting'] {
  const { blocked_until: blockedUntil, limit_until: limitUntil } = row;
  if (row.new_contacts_per_day === 0) return { reason: 'daily_limit', until: null };
  if (limitUntil !== null && (blockedUntil === null || limitUntil > blockedUntil))
    return { reason: 'daily_limit', until: limitUntil };
  return blockedUntil === null ? null : { reason: row.new_contacts_reason ?? 'restricted', until: blockedUntil };
}

function quotaOf(row: DetailRow): NewContacts['networkQuota'] {
  const { new_chats_used: used, new_chats_total: total, new_chats_reset_at: resetsAt } = row;
  return used === null || total === null ? null : { used, total, resetsAt };
}
