/**
 * Reads and writes of the worker that holds a device. Each write checks the lease. If `token` no longer holds it, the
 * write changes nothing and the function returns that.
 */
import type { DeviceId, DeviceReason, DeviceState } from '@kurir/contracts';
import { isContested, isSuspended } from '../devices/device-condition.js';
import { endCleanDays, unstated, warningRanks, writeHealthAfter } from '../devices/health/number-health.js';
import type { Database } from '../postgres/connect.js';
import type { LeaseToken } from './lease-token.js';

/** The caller ($1 device, $2 owner, $3 epoch) holds the lease. */
export const holdsLease = `EXISTS (SELECT 1 FROM device_leases l WHERE l.device_id = $1 AND l.owner = $2 AND l.epoch = $3 AND l.expires_at > now())`;

export const tokenValues = (token: LeaseToken) => [token.deviceId, token.owner, token.epoch];

export type DeviceIntent = {
  readonly deviceId: DeviceId;
  readonly network: string;
  readonly desiredState: 'linked' | 'unlinked';
  readonly linked: boolean;
  /** No worker may hold the device, because an operator has suspended its account. */
  readonly suspended: boolean;
  readonly pairing: { readonly method: 'qr' | 'pairing_code'; readonly phoneNumber: string | null } | null;
  readonly pacePerMinute: number | null;
  readonly typingMs: number;
  readonly groups: 'none' | 'all';
  /** Opened with `openDeviceProxy`. Null: no proxy. */
  readonly proxySealed: Uint8Array | null;
  /** The network told an earlier owner to wait until then. Null: it told nobody. */
  readonly toldToWaitUntil: Date | null;
  /** Other connections replaced this one too often. It connects again only when a person asks for it. */
  readonly contested: boolean;
  /** The session must delete its sessions with others before it connects. Null: nobody asked for it. */
  readonly forgetSessionsAt: Date | null;
};

type IntentRow = {
  id: DeviceId;
  network: string;
  desired_state: 'linked' | 'unlinked';
  linked: boolean;
  suspended: boolean;
  pairing_method: 'qr' | 'pairing_code' | null;
  pairing_number: string | null;
  pace_per_minute: number | null;
  typing_ms: number;
  groups: 'none' | 'all';
  proxy_sealed: Buffer | null;
  told_to_wait_until: Date | null;
  contested: boolean;
  forget_sessions_at: Date | null;
};

/** The requested state of the devices. */
export async function readIntents(database: Database, deviceIds: readonly DeviceId[]): Promise<DeviceIntent[]> {
  const { rows } = await database.pool.query<IntentRow>({
    name: 'read-intents',
    text: `SELECT id, network, desired_state, linked, desired_state = 'linked' AND ${isSuspended} AS suspended, pairing_method, pairing_number, pace_per_minute,
             typing_ms, groups, proxy_sealed,
             CASE WHEN state_reason IN ('temporarily_banned', 'rate_limited_by_network') THEN state_until END AS told_to_wait_until,
             ${isContested} AS contested, forget_sessions_at FROM devices d WHERE id = ANY ($1::text[])`,
    values: [deviceIds],
  });
  return rows.map((row) => ({
    deviceId: row.id,
    network: row.network,
    desiredState: row.desired_state,
    linked: row.linked,
    suspended: row.suspended,
    pairing: row.pairing_method === null ? null : { method: row.pairing_method, phoneNumber: row.pairing_number },
    pacePerMinute: row.pace_per_minute,
    typingMs: row.typing_ms,
    groups: row.groups,
    proxySealed: row.proxy_sealed,
    toldToWaitUntil: row.told_to_wait_until,
    contested: row.contested,
    forgetSessionsAt: row.forget_sessions_at,
  }));
}

export type StateNote = {
  readonly reason: DeviceReason;
  /** The network's own word, if it gives one. */
  readonly detail?: string | undefined;
  /** The end of a wait. */
  readonly until?: Date | undefined;
};

/** A ban restricts the number until the ban ends. It does not change a warning. */
const banOfDevice = `SELECT d.id AS device_id, $7::timestamptz AS blocked_until, k.warning, k.warned_until
  FROM devices d LEFT JOIN device_health k ON k.device_id = d.id WHERE d.id = $1 AND $5 = 'temporarily_banned' AND $7 IS NOT NULL AND ${holdsLease}`;

/** Writes the state of the session, and a ban into the health of the number. Returns false if the lease is lost. */
export async function writeDeviceState(
  database: Database,
  token: LeaseToken,
  state: DeviceState,
  note: StateNote | null,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-device-state',
    text: `WITH health AS (${writeHealthAfter(banOfDevice)})
           UPDATE devices SET state = $4, state_reason = $5, state_detail = $6, state_until = $7,
             state_at = CASE WHEN state = $4 THEN state_at ELSE now() END,
             last_connected_at = CASE WHEN state = 'connected' OR $4 = 'connected' THEN now() ELSE last_connected_at END
           WHERE id = $1 AND ${holdsLease}`,
    values: [...tokenValues(token), state, note?.reason ?? null, note?.detail ?? null, note?.until ?? null],
  });
  return rowCount === 1;
}

/** Shows the newest code to scan or type. Returns false if nobody wants it any more, or if the lease is lost. */
export async function writePairingCode(
  database: Database,
  token: LeaseToken,
  code: string,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-pairing-code',
    text: `UPDATE devices SET state = 'pairing', state_reason = NULL, state_detail = NULL, state_until = NULL,
             pairing_code = $4, pairing_until = $5, state_at = CASE WHEN state = 'pairing' THEN state_at ELSE now() END
           WHERE id = $1 AND desired_state = 'linked' AND NOT linked AND ${holdsLease}`,
    values: [...tokenValues(token), code, until],
  });
  return rowCount === 1;
}

/** As the driver reports them; the contract of the networks describes them. */
export type AccountLimits = {
  readonly newContacts: 'allowed' | { readonly blockedUntil: Date | null; readonly reason: string };
  readonly newChatQuota: { readonly used: number; readonly total: number; readonly resetsAt: Date | null } | null;
  /** Absent: none. */
  readonly warning?: { readonly kind: 'first' | 'second'; readonly until: Date | null };
};

/** The end of a limit for which the network names none. The worker then asks the network again. */
const unstatedEnd = (ms: number) => `now() + ${ms} * interval '1 millisecond'`;
const blockedUntil = `CASE WHEN $4::text IS NOT NULL THEN coalesce($5::timestamptz, ${unstatedEnd(unstated.blockMs)}) END`;
const warnedUntil = `CASE WHEN $9::int > 0 THEN coalesce($10::timestamptz, ${unstatedEnd(unstated.warningMs)}) END`;

/**
 * Stores the limits that the network reports for the account; a later report replaces an earlier one. If a block is
 * lifted early, its waiting messages may go at once. Returns false if the lease is lost.
 */
export async function writeAccountLimits(
  database: Database,
  token: LeaseToken,
  { newContacts, newChatQuota, warning }: AccountLimits,
): Promise<boolean> {
  const block = newContacts === 'allowed' ? null : newContacts;
  const { rowCount } = await database.pool.query({
    name: 'write-account-limits',
    text: `WITH lifted AS (
             SELECT id FROM devices WHERE id = $1 AND new_contacts_blocked_until > now() AND $4::text IS NULL AND ${holdsLease}),
           locked AS MATERIALIZED (
             SELECT m.id FROM messages m JOIN lifted ON lifted.id = m.device_id
             WHERE m.stage = 0 AND m.waits_until IS NOT NULL AND m.reason = 'new_contacts_restricted' ORDER BY m.id FOR NO KEY UPDATE OF m),
           freed AS (
             UPDATE messages m SET held_until = NULL, waits_until = NULL FROM locked
             WHERE m.id = locked.id AND m.stage = 0 AND m.reason = 'new_contacts_restricted'),
           health AS (${writeHealthAfter(
             `SELECT id AS device_id, ${blockedUntil} AS blocked_until, $9::smallint AS warning, ${warnedUntil} AS warned_until
              FROM devices WHERE id = $1 AND ${holdsLease}`,
           )})
           UPDATE devices SET new_contacts_reason = $4, new_contacts_blocked_until = ${blockedUntil},
             new_chats_used = $6, new_chats_total = $7, new_chats_reset_at = $8
           WHERE id = $1 AND ${holdsLease}`,
    values: [
      ...tokenValues(token),
      block?.reason ?? null,
      block?.blockedUntil ?? null,
      newChatQuota?.used ?? null,
      newChatQuota?.total ?? null,
      newChatQuota?.resetsAt ?? null,
      warningRanks[warning?.kind ?? 'none'],
      warning?.until ?? null,
    ],
  });
  return rowCount === 1;
}

/**
 * Stores that the device is not linked any more: erases its credentials and ends its clean days. It stays unlinked
 * until a person asks to link it. `failMessagesOfUnlinked` then ends its messages.
 */
export async function writeUnlinked(
  database: Database,
  token: LeaseToken,
  state: 'disconnected' | 'banned',
  note: StateNote | null,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-unlinked',
    text: `WITH mine AS (SELECT 1 WHERE ${holdsLease}),
           erased AS (DELETE FROM device_credentials WHERE device_id = $1 AND EXISTS (SELECT 1 FROM mine)),
           health AS (${endCleanDays('$1 AND EXISTS (SELECT 1 FROM mine)')})
           UPDATE devices SET linked = false, desired_state = 'unlinked', state = $4, state_reason = $5, state_at = now(),
             state_detail = $6, state_until = NULL, last_connected_at = NULL, replaced_at = '{}',
             pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
           WHERE id = $1 AND EXISTS (SELECT 1 FROM mine)`,
    values: [...tokenValues(token), state, note?.reason ?? null, note?.detail ?? null],
  });
  return rowCount === 1;
}

export type LinkEndNote = StateNote & {
  /** The attempt ended because nobody wants it any more. */
  readonly cancelled: boolean;
  /** The last code that the attempt showed. Null: none. */
  readonly shownCode: string | null;
};

/**
 * Stores that an attempt to link ended without a link. `asked-again`: a person has already asked for another attempt,
 * and nothing is written. Such a request clears the code in the row, and only an attempt that has seen the request
 * shows a code again.
 */
export async function writeLinkEnd(
  database: Database,
  token: LeaseToken,
  { reason, detail, cancelled, shownCode }: LinkEndNote,
): Promise<'written' | 'asked-again' | 'lease-lost'> {
  const { rows } = await database.pool.query<{ held: boolean; written: boolean }>({
    name: 'write-link-end',
    text: `WITH mine AS (SELECT 1 WHERE ${holdsLease}),
           ended AS (
             UPDATE devices SET desired_state = 'unlinked', state = 'disconnected', state_reason = $4, state_detail = $5,
               state_until = NULL, state_at = now(), last_connected_at = NULL,
               pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
             WHERE id = $1 AND EXISTS (SELECT 1 FROM mine) AND NOT linked
               AND (desired_state = 'unlinked' OR (NOT $6 AND pairing_code IS NOT DISTINCT FROM $7)) RETURNING 1)
           SELECT EXISTS (SELECT 1 FROM mine) AS held, EXISTS (SELECT 1 FROM ended) AS written`,
    values: [...tokenValues(token), reason, detail ?? null, cancelled, shownCode],
  });
  if (rows[0]?.held !== true) return 'lease-lost';
  return rows[0].written ? 'written' : 'asked-again';
}
