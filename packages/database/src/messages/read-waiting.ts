/** Finds the reasons why messages wait. They are not stored but derived, and only for the requested messages. */
import { type MessageId, priorityRanks, type WaitingReason } from '@kurir/contracts';
import { refusalsOf, toContact } from '../devices/new-contacts.js';
import { isCode } from '../devices/priority.js';
import type { Database } from '../postgres/connect.js';

export type Waiting = {
  readonly reason: WaitingReason;
  /** Null: unknown. */
  readonly until: Date | null;
};

const isDueByTime = `(m.send_at IS NULL OR m.send_at <= now())`;

/**
 * `refusing` holds the reasons for new contacts. It is calculated once for each device and kind of priority, not for
 * each message.
 */
const readAsked = `
  WITH asked AS MATERIALIZED (
    SELECT m.id, m.device_id, m.recipient, m.priority, m.send_at, m.waits_until, m.held_until, m.window_opens_at
    FROM unnest($1::text[]) AS given (id) JOIN messages m ON m.id = given.id WHERE m.stage = 0),
  refusing AS MATERIALIZED (
    SELECT lane.device_id, lane.is_code, each_one.reason, each_one.until
    FROM (SELECT DISTINCT device_id, ${isCode('priority')} AS is_code FROM asked) lane
    CROSS JOIN LATERAL (${refusalsOf('d.id = lane.device_id', `(CASE WHEN lane.is_code THEN ${priorityRanks.otp} ELSE ${priorityRanks.normal} END)`)}) each_one)
  SELECT m.id, waiting.reason, waiting.until FROM asked m CROSS JOIN LATERAL (
    SELECT reason, until FROM (
      SELECT 'scheduled' AS reason, m.send_at AS until WHERE NOT ${isDueByTime}
      UNION ALL SELECT 'paused', NULL WHERE m.waits_until = 'infinity'
      UNION ALL SELECT 'retry', m.waits_until WHERE m.waits_until > now() AND m.waits_until < 'infinity' AND m.held_until IS NOT NULL AND ${isDueByTime}
      UNION ALL SELECT 'quiet_hours', m.window_opens_at WHERE m.window_opens_at > now() AND ${isDueByTime}
      UNION ALL SELECT r.reason, r.until FROM refusing r
        WHERE r.device_id = m.device_id AND r.is_code = (${isCode('m.priority')}) AND ${isDueByTime} AND NOT ${toContact}) each_one
    ORDER BY until DESC NULLS FIRST, reason LIMIT 1) waiting`;

/** The reason that holds each message longest. Messages that may go or no longer wait are left out. */
export async function readWaiting(
  database: Database,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, Waiting>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.pool.query<Waiting & { id: MessageId }>({
    name: 'read-waiting',
    text: readAsked,
    values: [ids],
  });
  return new Map(rows.map(({ id, reason, until }) => [id, { reason, until }]));
}
