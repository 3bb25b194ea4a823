/** Reads the facts behind the health of devices, and their days. Days are UTC days. */
import { type AccountId, healthDays } from '@kurir/contracts';
import type { Database } from '../../postgres/connect.js';
import { warningNow } from './number-health.js';
import { type HealthFacts, judgeHealth, type JudgedHealth } from './judge-health.js';

const today = `(now() AT TIME ZONE 'UTC')::date`;

/** Over `device_days y` and `device_health h`: the day belongs to the device's present number. */
const isOfNumber = `(h.counted_from IS NULL OR y.day >= (h.counted_from AT TIME ZONE 'UTC')::date)`;

const sumOf = (column: string, which: string) => `coalesce(sum(y.${column}) FILTER (WHERE ${which}), 0)::int`;
const isRecent = `y.day > ${today} - ${healthDays.recent}`;
/** A message of the last minute of a day has had a whole day after the next one. */
const isOver = `${isRecent} AND y.day < ${today} - 1`;

/** Over `devices d` and its `device_health h`, which may be missing: the `HealthFacts`, as JSON. */
export const healthFactsOf = `(SELECT json_build_object(
    'banned', d.state = 'banned' OR (d.state_reason IS NOT DISTINCT FROM 'temporarily_banned' AND coalesce(d.state_until > now(), true)),
    'restricted', coalesce(d.new_contacts_blocked_until > now(), false), 'warned', coalesce(${warningNow}, 0) > 0,
    'sent', ${sumOf('sent', isRecent)}, 'failed', ${sumOf('failed', isRecent)}, 'refused', ${sumOf('refused', isRecent)},
    'unknown', ${sumOf('unknown', isRecent)}, 'optedOut', ${sumOf('opted_out', isRecent)},
    'overSent', ${sumOf('sent', isOver)}, 'overDelivered', ${sumOf('delivered', isOver)},
    'earlierSent', ${sumOf('sent', `NOT (${isRecent})`)}, 'earlierDelivered', ${sumOf('delivered', `NOT (${isRecent})`)})
  FROM device_days y WHERE y.device_id = d.id AND y.day > ${today} - ${healthDays.shown} AND ${isOfNumber})`;

export type HealthDay = {
  /** `2026-11-26` */
  readonly day: string;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly refused: number;
  readonly unknown: number;
  readonly answers: number;
  readonly optedOut: number;
};

export type DeviceHealth = JudgedHealth & {
  /** When the newest day was counted. Null: no day has been counted. */
  readonly countedAt: Date | null;
  /** The oldest first, with the present day. */
  readonly days: readonly HealthDay[];
};

const counted = ['sent', 'delivered', 'failed', 'refused', 'unknown', 'answers', 'opted_out'];

/** Null: the account does not have the device. */
export async function readDeviceHealth(
  { pool }: Database,
  accountId: AccountId,
  deviceId: string,
): Promise<DeviceHealth | null> {
  const { rows } = await pool.query<{ facts: HealthFacts; countedAt: Date | null; days: HealthDay[] }>({
    name: 'read-device-health',
    text: `SELECT ${healthFactsOf} AS facts, days.*
           FROM devices d LEFT JOIN device_health h ON h.device_id = d.id CROSS JOIN LATERAL (
             SELECT max(y.counted_at) AS "countedAt", json_agg(json_build_object('day', to_char(one.day, 'YYYY-MM-DD'),
               ${counted.map((name) => `'${name === 'opted_out' ? 'optedOut' : name}', coalesce(y.${name}, 0)`).join(', ')}) ORDER BY one.day) AS days
             FROM (SELECT ${today} - n AS day FROM generate_series(0, ${healthDays.shown - 1}) n) one
             LEFT JOIN device_days y ON y.device_id = d.id AND y.day = one.day AND ${isOfNumber}) days
           WHERE d.account_id = $1 AND d.id = $2 AND d.deleted_at IS NULL`,
    values: [accountId, deviceId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return { ...judgeHealth(row.facts), countedAt: row.countedAt, days: row.days };
}
