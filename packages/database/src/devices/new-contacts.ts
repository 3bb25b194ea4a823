/**
 * The limits of new contacts, as SQL. They are derived from the device's row, its health and its contacts. Nothing is
 * written to a message that waits for them, so all such messages can go on as soon as the limits allow it.
 */
import { allowanceNow, keptForCodesInSql, nextAllowance, warningNow } from './health/number-health.js';
import { isCode, isNotCode } from './priority.js';

/**
 * Over `device_contacts c`: a new contact that the device wrote to within 24 hours. A person who wrote first is not
 * new.
 */
export const isNewOfToday = `(c.wrote_at > now() - interval '24 hours' AND (c.heard_at IS NULL OR c.heard_at > c.wrote_at))`;

/** Over `messages m`. */
export const toContact = `EXISTS (SELECT 1 FROM device_contacts k WHERE k.device_id = m.device_id AND k.recipient = m.recipient)`;

/** Over `devices d` and its `device_health h`: the limit of today. Null: none. */
export const allowanceOfDevice = `CASE WHEN d.new_contacts_automatic THEN ${allowanceNow} ELSE d.new_contacts_per_day END`;

/** Over `devices d`: the number of new contacts within 24 hours. Null if nothing limits it. */
const usedOfLimit = `CASE WHEN d.new_contacts_automatic OR d.new_contacts_per_day IS NOT NULL THEN
    (SELECT count(*)::int FROM device_contacts c WHERE c.device_id = d.id AND ${isNewOfToday}) END`;

/** The limits and their use, for the devices `d` that `which` selects. */
const contactUse = (which: string, more = '') => `
    SELECT d.id AS device_id, d.new_contacts_automatic AS automatic, ${usedOfLimit} AS used, ${allowanceOfDevice} AS allowance,
      CASE WHEN d.new_contacts_blocked_until > now() THEN d.new_contacts_blocked_until END AS blocked_until,
      CASE WHEN d.new_contacts_automatic AND h.next_new_contact_at > now() THEN h.next_new_contact_at END AS pauses_until${more}
    FROM devices d LEFT JOIN device_health h ON h.device_id = d.id WHERE ${which}`;

/** Over a `contactUse`: the part of a limit that messages other than codes may use. */
const forOthers = (allowance: string) =>
  `CASE WHEN automatic THEN ${allowance} - ${keptForCodesInSql(allowance)} ELSE ${allowance} END`;

/**
 * Selects the devices (from an array of ids in SQL) that refuse new contacts now. `codes_too`: also for codes. These
 * common table expressions serve `mayGo`; a device is read once, not once for each message.
 */
export const refusingDevices = (
  deviceIds: string,
) => `contact_use AS MATERIALIZED (${contactUse(`d.id = ANY (${deviceIds})`)}),
  refusing AS MATERIALIZED (
    SELECT device_id, blocked_until IS NOT NULL OR coalesce(used >= allowance, false) AS codes_too FROM contact_use
    WHERE blocked_until IS NOT NULL OR pauses_until IS NOT NULL OR used >= ${forOthers('allowance')})`;

/** The devices (an array of ids in SQL) with the number of new contacts that messages other than codes may still go to. Null: any. */
export const newContactRoom = (deviceIds: string) => `
  SELECT device_id, CASE WHEN blocked_until IS NOT NULL THEN 0
    WHEN used IS NOT NULL AND allowance IS NOT NULL THEN greatest(0, ${forOthers('allowance')} - used) END AS room
  FROM (${contactUse(`d.id = ANY (${deviceIds})`)}) u`;

/** Over `messages m` and `refusing`. */
export const mayGo = `((m.device_id NOT IN (SELECT device_id FROM refusing WHERE codes_too)
    AND (${isCode('m.priority')} OR m.device_id NOT IN (SELECT device_id FROM refusing))) OR ${toContact})`;

/**
 * Over a `contactUse` `u`: the time at which fewer than `limit` contacts were written to within 24 hours. Null: that is
 * true now, or never becomes true.
 */
const fallsBelow = (limit: string) => `CASE WHEN ${limit} > 0 THEN (
    SELECT c.wrote_at + interval '24 hours' FROM device_contacts c WHERE c.device_id = u.device_id AND ${isNewOfToday}
    ORDER BY c.wrote_at DESC OFFSET greatest(${limit}, 1) - 1 LIMIT 1) END`;

/** A limit that changes by itself may allow a contact before the oldest one is 24 hours old. */
const returnsAt = `least(${fallsBelow('l.now')}, CASE WHEN u.automatic AND u.changes_at IS NOT NULL THEN greatest(u.changes_at, ${fallsBelow('l.next')}) END)`;

/**
 * Over the devices `d` that `which` selects: each reason why messages of a priority (SQL) to new contacts wait, and its
 * end if known. No row: they go out.
 */
export const refusalsOf = (which: string, priority: string) => `
  SELECT refusal.reason, refusal.until FROM (${contactUse(
    which,
    `,
      CASE WHEN d.new_contacts_automatic THEN ${warningNow} ELSE 0 END AS warning, ${nextAllowance.at} AS changes_at, ${nextAllowance.value} AS next_allowance`,
  )}) u
  CROSS JOIN LATERAL (SELECT CASE WHEN ${isCode(priority)} THEN allowance ELSE ${forOthers('allowance')} END AS now,
    CASE WHEN ${isCode(priority)} THEN next_allowance ELSE ${forOthers('next_allowance')} END AS next) l
  CROSS JOIN LATERAL (
    SELECT 'network_restriction' AS reason, u.blocked_until AS until WHERE u.blocked_until IS NOT NULL
    UNION ALL SELECT CASE WHEN u.warning = 2 THEN 'network_warning' ELSE 'new_contact_allowance' END, ${returnsAt} WHERE u.used >= l.now
    UNION ALL SELECT 'new_contact_pause', u.pauses_until WHERE u.pauses_until IS NOT NULL AND ${isNotCode(priority)}) refusal`;
