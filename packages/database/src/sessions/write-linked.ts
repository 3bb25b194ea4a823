/** Stores a successful link, and who asked for it. */
import { newId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { holdsLease, tokenValues } from './device-session.js';
import type { LeaseToken } from './lease-token.js';

/** SQL: the last person or key that asked to link the device $1. Each request has a row of the audit log. */
const asker = `SELECT r.actor FROM audit_log r
  WHERE r.account_id = d.account_id AND r.subject = $1 AND r.action = 'device.link_requested' ORDER BY r.at DESC, r.id DESC LIMIT 1`;

/** SQL: the audit row ($5) and the event, if $4 is a number that the device did not have before. No row holds a whole number. */
const writeNews = `news AS (
    SELECT d.account_id, coalesce((${asker}), 'unknown') AS actor FROM devices d
    WHERE d.id = $1 AND d.phone_number IS DISTINCT FROM $4 AND ${holdsLease}),
  audited AS (
    INSERT INTO audit_log (id, account_id, actor, action, subject, detail)
    SELECT $5, account_id, actor, 'device.linked', $1, jsonb_build_object('number_ends', right($4, 4)) FROM news),
  logged AS (
    INSERT INTO events (account_id, generation, device_id, subject_id, kind)
    SELECT account_id, event_generation(), $1, $1, 'device.linked' FROM news)`;

/**
 * Stores a successful link; the device now connects without a person. Contacts, limits and health belong to the phone
 * number, so another number starts without them. The same number keeps its step and starts a new stretch of clean days.
 * A number that the device did not have before adds a row to the audit log, of whoever asked for the link. It also adds
 * `device.linked` to the log of events, for the mail to the owners. Returns false if the lease is lost.
 */
export async function writeLinked(database: Database, token: LeaseToken, phoneNumber: string): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-linked',
    text: `WITH another AS (SELECT 1 FROM devices WHERE id = $1 AND phone_number <> $4 AND ${holdsLease}),
           ${writeNews},
           forgotten AS (DELETE FROM device_contacts WHERE device_id = $1 AND EXISTS (SELECT 1 FROM another)),
           uncounted AS (DELETE FROM device_days WHERE device_id = $1 AND EXISTS (SELECT 1 FROM another)),
           health AS (
             INSERT INTO device_health AS h (device_id, counted_from) SELECT id, now() FROM devices WHERE id = $1 AND ${holdsLease}
             ON CONFLICT (device_id) DO UPDATE SET (was_restricted, clean_days, clean_since, warning, warned_until, next_new_contact_at, counted_from) = (
               SELECT was_restricted AND NOT is_another, CASE WHEN was_restricted OR is_another THEN 0 ELSE clean_days END,
                 CASE WHEN is_another THEN now() ELSE greatest(clean_since, now()) END, CASE WHEN is_another THEN 0 ELSE warning END,
                 CASE WHEN NOT is_another THEN warned_until END, CASE WHEN NOT is_another THEN next_new_contact_at END,
                 CASE WHEN is_another THEN now() ELSE counted_from END
               FROM (SELECT EXISTS (SELECT 1 FROM another) AS is_another, h.*) before))
           UPDATE devices SET linked = true, phone_number = $4,
             new_contacts_blocked_until = CASE WHEN phone_number = $4 THEN new_contacts_blocked_until END,
             new_contacts_reason = CASE WHEN phone_number = $4 THEN new_contacts_reason END,
             new_chats_used = NULL, new_chats_total = NULL, new_chats_reset_at = NULL,
             state = 'connecting', state_reason = NULL, state_detail = NULL, state_until = NULL, state_at = now(),
             replaced_at = '{}', forget_sessions_at = NULL, pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
           WHERE id = $1 AND ${holdsLease}`,
    values: [...tokenValues(token), phoneNumber, newId('aud')],
  });
  return rowCount === 1;
}
