/** A device with its settings, the use of its limits, and the reason why messages to new contacts wait. */
import {
  type AccountId,
  type DeviceId,
  type HealthWord,
  type Politeness,
  priorityRanks,
  type WaitingReason,
} from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { showDeviceProxy } from './device-proxy.js';
import { type HealthFacts, judgeHealth } from './health/judge-health.js';
import { healthFactsOf } from './health/read-health.js';
import { defaultPoliteness } from './device-settings.js';
import { type DeviceView, type ViewRow, viewColumns, viewOf } from './devices.js';
import { allowanceOfDevice, isNewOfToday, refusalsOf } from './new-contacts.js';
import { allowanceNow, keptForCodes, type NetworkWarning, warningNow, warningOf } from './health/number-health.js';

export type NewContacts = {
  /** Set while messages to new contacts wait. Null: they go out. */
  readonly waiting: {
    /** `daily_limit` is our own limit. Any other reason comes from the network. */
    readonly reason: string;
    /** Null: until a setting changes. */
    readonly until: Date | null;
  } | null;
  /** New contacts in 24 hours. Null: no limit. */
  readonly allowance: number | null;
  readonly usedToday: number;
  /** The part of the allowance that is left, for all messages and for codes. Null: no limit. */
  readonly left: { readonly forAll: number; readonly forCodes: number } | null;
  /** The warning of the network that holds now. */
  readonly warning: NetworkWarning;
  /** The customer allows more new contacts than the automatic limit would. */
  readonly isLoose: boolean;
  /** Until then, only codes go to new contacts. Null: there is no pause now. */
  readonly pausesUntil: Date | null;
  /** The network's own count, if it reports one. */
  readonly networkQuota: { readonly used: number; readonly total: number; readonly resetsAt: Date | null } | null;
};

export type DeviceDetails = DeviceView & {
  readonly politeness: Politeness;
  /** The stored number of new contacts a day: a fixed limit, or the fallback of an automatic device. Null: none. */
  readonly storedContactLimit: number | null;
  /** Without its password. Null: none. */
  readonly proxy: string | null;
  /** Whether messages in groups arrive. */
  readonly groups: 'none' | 'all';
  readonly newContacts: NewContacts;
  readonly health: HealthWord;
  /**
   * Set while the network refuses the version of the device's client: the time when this gateway first saw that
   * version.
   */
  readonly refusedVersionSeenAt: Date | null;
};

type DetailRow = ViewRow & {
  pace_per_minute: number | null;
  pace_jitter_ms: number;
  new_contacts_per_day: number | null;
  new_contacts_automatic: boolean;
  typing_ms: number;
  groups: 'none' | 'all';
  proxy_sealed: Buffer | null;
  new_contacts_reason: string | null;
  new_chats_used: number | null;
  new_chats_total: number | null;
  new_chats_reset_at: Date | null;
  blocked: boolean;
  allowance: number | null;
  automatic_allowance: number;
  used_today: number;
  refused_version_seen_at: Date | null;
  warning: number;
  pauses_until: Date | null;
  refused_for: WaitingReason | null;
  refused_until: Date | null;
  health_facts: HealthFacts;
};

const detailColumns = `${viewColumns}, d.pace_per_minute, d.pace_jitter_ms, d.new_contacts_per_day, d.new_contacts_automatic,
  d.typing_ms, d.groups, d.proxy_sealed, d.new_contacts_reason, d.new_chats_used, d.new_chats_total, d.new_chats_reset_at,
  coalesce(d.new_contacts_blocked_until > now(), false) AS blocked, ${allowanceOfDevice} AS allowance,
  ${allowanceNow} AS automatic_allowance, ${warningNow} AS warning,
  (SELECT count(*)::int FROM device_contacts c WHERE c.device_id = d.id AND ${isNewOfToday}) AS used_today,
  CASE WHEN d.new_contacts_automatic AND h.next_new_contact_at > now() THEN h.next_new_contact_at END AS pauses_until,
  refusal.reason AS refused_for, refusal.until AS refused_until, ${healthFactsOf} AS health_facts,
  CASE WHEN d.state_reason = 'client_outdated' THEN (
    SELECT v.first_seen_at FROM whatsapp_versions v WHERE v.version = d.state_detail) END AS refused_version_seen_at`;

/** The reason that ends last, for messages that are not codes. A pause is too short to show. */
const refusal = `SELECT reason, until FROM (${refusalsOf('d.id = shown.id', String(priorityRanks.normal))}) each_one
  WHERE reason <> 'new_contact_pause' ORDER BY until DESC NULLS FIRST, reason LIMIT 1`;

const fromDevices = `SELECT ${detailColumns} FROM devices d JOIN device_leases l ON l.device_id = d.id
  LEFT JOIN device_health h ON h.device_id = d.id
  CROSS JOIN LATERAL (SELECT d.id) shown (id) LEFT JOIN LATERAL (${refusal}) refusal ON true`;

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

/** The account's device. Null also for a device of another account. */
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
      newContactsPerDay: row.new_contacts_automatic ? 'automatic' : row.new_contacts_per_day,
      typingMs: row.typing_ms,
    },
    groups: row.groups,
    storedContactLimit: row.new_contacts_per_day,
    proxy: row.proxy_sealed === null ? null : showDeviceProxy(sealer, row.id, row.proxy_sealed),
    refusedVersionSeenAt: row.refused_version_seen_at,
    health: judgeHealth(row.health_facts).word,
    newContacts: {
      waiting: waitingOf(row),
      allowance: allowanceOf(row),
      usedToday: row.used_today,
      left: leftOf(row),
      warning: warningOf(row.warning),
      isLoose: isLoose(row),
      pausesUntil: row.pauses_until,
      networkQuota: quotaOf(row),
    },
  };
}

/** Only networks whose devices start with the automatic limit have loose devices. */
function isLoose({ network, new_contacts_automatic: automatic, ...row }: DetailRow): boolean {
  if (automatic || defaultPoliteness(network).newContactsPerDay !== 'automatic') return false;
  return row.allowance === null || row.allowance > row.automatic_allowance;
}

/**
 * While the network forbids new contacts, the automatic limit allows none. A fixed limit is shown as the customer set
 * it.
 */
const allowanceOf = (row: DetailRow) => (row.new_contacts_automatic && row.blocked ? 0 : row.allowance);

function leftOf(row: DetailRow): NewContacts['left'] {
  const { allowance, used_today: used, new_contacts_automatic: automatic } = row;
  if (allowance === null) return null;
  if (row.blocked) return { forAll: 0, forCodes: 0 };
  const forOthers = automatic ? allowance - keptForCodes(allowance) : allowance;
  return { forAll: Math.max(0, forOthers - used), forCodes: Math.max(0, allowance - used) };
}

function waitingOf(row: DetailRow): NewContacts['waiting'] {
  const { refused_for: reason, refused_until: until } = row;
  if (reason === null) return null;
  if (reason === 'network_restriction') return { reason: row.new_contacts_reason ?? 'restricted', until };
  return { reason: reason === 'network_warning' ? 'second_warning' : 'daily_limit', until };
}

function quotaOf(row: DetailRow): NewContacts['networkQuota'] {
  const { new_chats_used: used, new_chats_total: total, new_chats_reset_at: resetsAt } = row;
  return used === null || total === null ? null : { used, total, resetsAt };
}
