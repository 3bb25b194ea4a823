/** The numbers of an account, by hour and now. The cost grows with the requested hours. Nothing is written. */
import type { AccountId } from '@kurir/contracts';
import { type Backlog, countBacklog } from '../devices/device-activity.js';
import { isCode } from '../devices/priority.js';
import type { Database } from '../postgres/connect.js';

export type HourRow = {
  readonly hour: Date;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly otpCount: number;
  readonly otpP50Ms: number | null;
  readonly otpP99Ms: number | null;
};

const percentile = (part: number) => `(percentile_cont(${part}) WITHIN GROUP (ORDER BY otp_ms))::int`;

/** The time of a one-time code from its acceptance to the acknowledgement of the network. */
const spanned = `spanned AS (
    SELECT m.created_at, m.status,
      CASE WHEN ${isCode('m.priority')} THEN (
        SELECT extract(epoch FROM min(e.at) - coalesce(m.send_at, m.created_at)) * 1000 FROM message_events e
        WHERE e.message_id = m.id AND e.at >= m.created_at - interval '1 day' AND e.status IN ('sent', 'delivered', 'read')) END AS otp_ms
    FROM messages m WHERE m.account_id = $1 AND m.created_at >= date_trunc('hour', now()) - make_interval(hours => $2 - 1))`;

/** The last `hours` hours, oldest first, with the present one. The final row has no hour and sums up all of them. */
const byHour = `WITH ${spanned}
  SELECT h.hour, count(s.created_at)::int AS accepted,
         count(*) FILTER (WHERE s.status IN ('delivered', 'read'))::int AS delivered,
         count(*) FILTER (WHERE s.status IN ('failed', 'expired'))::int AS failed,
         count(otp_ms)::int AS "otpCount", ${percentile(0.5)} AS "otpP50Ms", ${percentile(0.99)} AS "otpP99Ms"
  FROM generate_series(date_trunc('hour', now()) - make_interval(hours => $2 - 1), now(), interval '1 hour') AS h (hour)
  LEFT JOIN spanned s ON s.created_at >= h.hour AND s.created_at < h.hour + interval '1 hour'
  GROUP BY ROLLUP (h.hour) ORDER BY h.hour NULLS LAST`;

export async function readHours(
  database: Database,
  accountId: AccountId,
  hours: number,
): Promise<{ readonly hours: HourRow[]; readonly all: HourRow }> {
  const { rows } = await database.pool.query<HourRow>(byHour, [accountId, hours]);
  const all = rows.pop();
  if (all === undefined) throw new Error('the sum over all hours is missing');
  return { hours: rows, all };
}

export type AccountNow = {
  readonly queue: Backlog;
  readonly devices: number;
  readonly connectedDevices: number;
  readonly deviceLinked: boolean;
  readonly messageSent: boolean;
  readonly keyCreated: boolean;
  readonly planChosen: boolean;
};

type NowRow = Omit<AccountNow, 'queue'> & Backlog;

export async function readAccountNow(database: Database, accountId: AccountId): Promise<AccountNow> {
  const { rows } = await database.pool.query<NowRow>(
    `SELECT coalesce(sum(waiting.otp), 0)::int AS otp, coalesce(sum(waiting.normal), 0)::int AS normal,
            coalesce(sum(waiting.bulk), 0)::int AS bulk, coalesce(sum(waiting.scheduled), 0)::int AS scheduled,
            count(*)::int AS devices,
            count(*) FILTER (WHERE d.state = 'connected' AND l.owner IS NOT NULL AND l.expires_at > now())::int AS "connectedDevices",
            coalesce(bool_or(d.linked OR d.last_connected_at IS NOT NULL), false) AS "deviceLinked",
            EXISTS (SELECT 1 FROM messages WHERE account_id = $1) AS "messageSent",
            EXISTS (SELECT 1 FROM api_keys WHERE account_id = $1) AS "keyCreated",
            EXISTS (SELECT 1 FROM plan_choices WHERE account_id = $1) AS "planChosen"
     FROM devices d JOIN device_leases l ON l.device_id = d.id ${countBacklog} WHERE d.account_id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without a row');
  const { otp, normal, bulk, scheduled, ...rest } = row;
  return { queue: { otp, normal, bulk, scheduled }, ...rest };
}
