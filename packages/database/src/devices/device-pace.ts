/**
 * A device's pace, as SQL. `device_pace.next_send_at` is the earliest time of the next claim. A random part of the jitter is
 * added to it. The part is derived from the time itself, so asking twice gives the same result. A claim moves the time on, a
 * changed pace rewrites it, and nothing sleeps for it. One-time codes do not wait for it, but move it on too.
 */
import { type DeviceId, priorityRanks } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { isNotCode } from './priority.js';

/** The time from one message to the next. */
const every = (device: string) => `coalesce(interval '1 minute' / ${device}.pace_per_minute, interval '0')`;
const jitter = (device: string) => `${device}.pace_jitter_ms * interval '1 millisecond'`;

/** From 0 to 1, the same for a device and a time whenever it is asked. */
const share = `(hashtextextended(p.device_id, (extract(epoch FROM p.next_send_at) * 1000)::bigint) & 1023) / 1023.0`;

/**
 * For a device (an id in SQL): `next_send_at`, `opens_at` with the jitter, and as `least_urgent` the priority up to which
 * messages may be claimed now. A lane that waits for its pace is then not read at all.
 */
export const paceOfDevice = (deviceId: string): string => `
  SELECT p.next_send_at, o.opens_at, CASE WHEN o.opens_at > now() THEN ${priorityRanks.otp} ELSE ${priorityRanks.bulk} END AS least_urgent
  FROM (SELECT ${deviceId} AS device_id) asked_device LEFT JOIN device_pace p USING (device_id) LEFT JOIN devices d ON d.id = p.device_id
  CROSS JOIN LATERAL (SELECT p.next_send_at + ${share} * ${jitter('d')} AS opens_at) o`;

/** However many codes go out, the next other message waits no longer than this and the jitter. */
const farthest = `interval '60 seconds'`;

/**
 * A statement that moves the pace on. `claims` is SQL with `device_id`, `priority` and the `next_send_at` so far of each
 * message that was claimed anew. If a message went late because of its jitter or a busy worker, the next one is not delayed as
 * well, so that the pace stays the average.
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
 * The device waits no longer than its present pace asks for. A claim that ran during a change may have used the old pace; the
 * device's holder calls this while no claim is running.
 */
export async function capPace({ pool }: Database, deviceId: DeviceId): Promise<void> {
  await pool.query({
    name: 'cap-pace',
    text: `UPDATE device_pace p SET next_send_at = now() + ${every('d')} FROM devices d
           WHERE p.device_id = $1 AND d.id = p.device_id AND p.next_send_at > now() + ${every('d')}`,
    values: [deviceId],
  });
}

/** A statement after a change: the time counts from the last message, by the new pace. `before` and `after` are rows of `devices`. */
export const rewritePace = (before: string, after: string): string => `
  UPDATE device_pace p SET next_send_at = least(p.next_send_at + ${every(after)} - ${every(before)}, now() + ${every(after)})
  FROM ${before} JOIN ${after} USING (id)
  WHERE p.device_id = ${after}.id AND ${before}.pace_per_minute IS DISTINCT FROM ${after}.pace_per_minute`;
