/**
 * A device's pace, as SQL. `device_pace.next_send_at` is the earliest time of the next claim, before jitter. The jitter
 * is derived from that time, so reading it twice gives the same result. A claim moves the time forward, a changed pace
 * rewrites it, and no process sleeps for it. One-time codes do not wait for the pace, but they move it too.
 */
import { type DeviceId, priorityRanks } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { isNotCode } from './priority.js';

/** The time from one message to the next. */
const every = (device: string) => `coalesce(interval '1 minute' / ${device}.pace_per_minute, interval '0')`;
const jitter = (device: string) => `${device}.pace_jitter_ms * interval '1 millisecond'`;

/** From 0 to 1, always the same for one device and one time. */
const share = `(hashtextextended(p.device_id, (extract(epoch FROM p.next_send_at) * 1000)::bigint) & 1023) / 1023.0`;

/**
 * Selects `next_send_at`, `opens_at` (with the jitter) and `least_urgent` of a device (an id in SQL). Only messages up
 * to that priority may be claimed now, so a claim does not read a lane that waits for its pace.
 */
export const paceOfDevice = (deviceId: string): string => `
  SELECT p.next_send_at, o.opens_at, CASE WHEN o.opens_at > now() THEN ${priorityRanks.otp} ELSE ${priorityRanks.bulk} END AS least_urgent
  FROM (SELECT ${deviceId} AS device_id) asked_device LEFT JOIN device_pace p USING (device_id) LEFT JOIN devices d ON d.id = p.device_id
  CROSS JOIN LATERAL (SELECT p.next_send_at + ${share} * ${jitter('d')} AS opens_at) o`;

/** One-time codes delay the next other message by at most this and the jitter. */
const farthest = `interval '60 seconds'`;

/**
 * A statement that moves the pace forward. `claims` is SQL with `device_id`, `priority` and `next_send_at` of each
 * newly claimed message. If a message goes late because of its jitter or a busy worker, the next one is not late too.
 * So the average pace stays.
 */
export const movePaceOn = (claims: string): string => `
  INSERT INTO device_pace AS p (device_id, next_send_at)
  SELECT d.id, CASE WHEN ${isNotCode('c.priority')}
      THEN greatest(c.next_send_at + ${every('d')}, now() + CASE WHEN d.pace_per_minute IS NULL THEN interval '0' ELSE ${every('d')} - ${jitter('d')} END)
      ELSE greatest(c.next_send_at, least(greatest(c.next_send_at, now()) + ${every('d')}, now() + ${farthest})) END
  FROM (${claims}) c JOIN devices d ON d.id = c.device_id
  WHERE d.pace_per_minute IS NOT NULL OR d.pace_jitter_ms > 0 ORDER BY d.id
  ON CONFLICT (device_id) DO UPDATE SET next_send_at = excluded.next_send_at`;

/**
 * Makes the device wait no longer than its present pace asks for. A claim that ran during a change may have used the
 * old pace. Call it while no claim of the device runs.
 */
export async function capPace({ pool }: Database, deviceId: DeviceId): Promise<void> {
  await pool.query({
    name: 'cap-pace',
    text: `UPDATE device_pace p SET next_send_at = now() + ${every('d')} FROM devices d
           WHERE p.device_id = $1 AND d.id = p.device_id AND p.next_send_at > now() + ${every('d')}`,
    values: [deviceId],
  });
}

/**
 * A statement after a change of the pace: the new interval counts from the last message. `before` and `after` are rows
 * of `devices`.
 */
export const rewritePace = (before: string, after: string): string => `
  UPDATE device_pace p SET next_send_at = least(p.next_send_at + ${every(after)} - ${every(before)}, now() + ${every(after)})
  FROM ${before} JOIN ${after} USING (id)
  WHERE p.device_id = ${after}.id AND ${before}.pace_per_minute IS DISTINCT FROM ${after}.pace_per_minute`;
