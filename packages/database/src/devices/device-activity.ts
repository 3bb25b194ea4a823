/** The activity of devices for a list: times, backlog, and the results of recent messages. */
import { type AccountId, type DeviceId, priorityRanks } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

/** Counting stops here; the list then says "many". */
const backlogCountedTo = 100_000;
/** The results come from this many of the account's newest messages of one day. */
const looksAt = 5_000;

export type Backlog = {
  readonly otp: number;
  readonly normal: number;
  readonly bulk: number;
  readonly scheduled: number;
};

export type DeviceActivity = {
  readonly stateAt: Date;
  readonly lastConnectedAt: Date | null;
  readonly pairingMethod: 'qr' | 'pairing_code' | null;
  /** The phone number for a pairing code. */
  readonly pairingNumber: string | null;
  readonly backlog: Backlog;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
};

/** Messages in the lane and messages that wait outside it have separate indexes. */
const waitingIn = (place: string) => `(
      SELECT priority, coalesce(send_at > now(), false) AS later FROM messages
      WHERE device_id = d.id AND stage = 0 AND ${place} LIMIT ${backlogCountedTo})`;

/** Counts the backlog of `devices d` as `waiting`. */
export const countBacklog = `CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE priority = ${priorityRanks.otp} AND NOT later)::int AS otp,
           count(*) FILTER (WHERE priority = ${priorityRanks.normal} AND NOT later)::int AS normal,
           count(*) FILTER (WHERE priority = ${priorityRanks.bulk} AND NOT later)::int AS bulk,
           count(*) FILTER (WHERE later)::int AS scheduled
    FROM (${waitingIn('waits_until IS NULL')} UNION ALL ${waitingIn('waits_until IS NOT NULL')}) one) waiting`;

type ActivityRow = Omit<DeviceActivity, 'backlog'> & Backlog & { readonly deviceId: DeviceId };

const statement = `WITH lately AS (
    SELECT device_id, count(*) FILTER (WHERE status IN ('sent', 'delivered', 'read'))::int AS sent,
           count(*) FILTER (WHERE status = 'failed')::int AS failed,
           count(*) FILTER (WHERE status = 'unknown')::int AS unknown
    FROM (SELECT device_id, status FROM messages WHERE account_id = $1 AND created_at > now() - interval '24 hours'
          ORDER BY seq DESC LIMIT ${looksAt}) newest
    GROUP BY device_id)
  SELECT d.id AS "deviceId", d.state_at AS "stateAt", d.last_connected_at AS "lastConnectedAt",
         d.pairing_method AS "pairingMethod", d.pairing_number AS "pairingNumber", waiting.*,
         coalesce(lately.sent, 0) AS sent, coalesce(lately.failed, 0) AS failed, coalesce(lately.unknown, 0) AS unknown
  FROM devices d LEFT JOIN lately ON lately.device_id = d.id ${countBacklog}
  WHERE d.account_id = $1 AND ($2::text IS NULL OR d.id = $2)`;

/** The activity of the account's devices, by device. With `deviceId`, only that device. */
export async function readDeviceActivity(
  database: Database,
  accountId: AccountId,
  deviceId: string | null,
): Promise<Map<DeviceId, DeviceActivity>> {
  const { rows } = await database.pool.query<ActivityRow>(statement, [accountId, deviceId]);
  return new Map(
    rows.map(({ deviceId: id, otp, normal, bulk, scheduled, ...rest }) => [
      id,
      { ...rest, backlog: { otp, normal, bulk, scheduled } },
    ]),
  );
}
