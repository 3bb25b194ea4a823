/**
 * Notices: mails to the owners of an account about events. One transaction reads the log up to the cursor and makes a row
 * for each owner, so each event makes its notices once. An attempt moves `due_at` on before it sends, and the row is
 * deleted afterwards. So a process that dies while it sends causes a second mail, never a lost one. Several processes
 * may do all of this at once.
 */
import type { AccountId, DeviceId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';

export type ClaimedNotice = {
  readonly id: bigint;
  readonly accountId: AccountId;
  readonly kind: 'device.linked';
  /** Null: the person is no owner any more. */
  readonly recipient: string | null;
  readonly accountName: string | null;
  readonly deviceId: DeviceId;
  /** Null: the device was deleted. */
  readonly deviceName: string | null;
  /** The whole number of the device. Null: it was erased, or is another one by now. */
  readonly number: string | null;
  readonly numberEnds: string;
  /** The person or the key that asked for the link, `admin` for the command line, or `unknown`. */
  readonly actor: string;
  readonly actorName: string | null;
  readonly at: Date;
  /** The notice is a day old, so this attempt is the last one. */
  readonly isLast: boolean;
};

/** An event that is older makes no notice. A notice that is older is given up. */
const maxAge = `interval '1 day'`;
const longestWait = `interval '1 hour'`;
const pageMax = 100;

const here = `SELECT event_generation() AS generation, pg_snapshot_xmin(pg_current_snapshot()) AS horizon`;

/** SQL: the events after the cursor (`c`) that make notices. The index `events_notices_idx` names the same kind. */
const unread = `FROM events e, (${here}) here
  WHERE e.kind = 'device.linked' AND (e.generation, e.xid, e.seq) > (c.generation, c.xid, c.seq)
    AND (e.generation < here.generation OR e.xid < here.horizon)`;

/** Whether there is an event to read or a notice to send. It locks and writes nothing. */
export async function hasNoticeWork({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ work: boolean }>({
    name: 'has-notice-work',
    text: `SELECT EXISTS (SELECT 1 FROM notices WHERE due_at <= now())
             OR EXISTS (SELECT 1 FROM notice_cursor c CROSS JOIN LATERAL (SELECT 1 ${unread} LIMIT 1) e) AS work`,
  });
  return rows[0]?.work === true;
}

export type Collected = {
  /** The number of events that were too old for a notice. */
  readonly tooOld: number;
  /** There may be more events to read. */
  readonly hasMore: boolean;
};

/** Makes the notices of the next events. If another process does this at the same time, it returns at once. */
export async function collectNotices({ pool }: Database): Promise<Collected> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM notice_cursor FOR UPDATE SKIP LOCKED');
    if (rowCount === 0) return { tooOld: 0, hasMore: false };
    // A new statement, so that it sees the cursor that the last process left.
    const { rows } = await client.query<{ tooOld: boolean }>(
      `WITH found AS MATERIALIZED (
         SELECT e.* FROM notice_cursor c CROSS JOIN LATERAL (
           SELECT e.generation, e.xid, e.seq, e.account_id, e.device_id, e.kind, e.at, e.at < now() - ${maxAge} AS too_old ${unread}
           ORDER BY e.generation, e.xid, e.seq LIMIT ${pageMax}) e),
       made AS (
         INSERT INTO notices (account_id, user_id, kind, device_id, at)
         SELECT f.account_id, m.user_id, f.kind, f.device_id, f.at FROM found f
         JOIN members m ON m.account_id = f.account_id AND m.role = 'owner' WHERE NOT f.too_old),
       moved AS (
         UPDATE notice_cursor SET (generation, xid, seq) = (
           SELECT f.generation, f.xid, f.seq FROM found f ORDER BY f.generation DESC, f.xid DESC, f.seq DESC LIMIT 1)
         WHERE EXISTS (SELECT 1 FROM found))
       SELECT too_old AS "tooOld" FROM found`,
    );
    return { tooOld: rows.filter(({ tooOld }) => tooOld).length, hasMore: rows.length === pageMax };
  });
}

/** Takes the notice that is due longest, or returns null. It is due again after a wait that doubles with each attempt. */
export async function claimNotice({ pool }: Database): Promise<ClaimedNotice | null> {
  const { rows } = await pool.query<ClaimedNotice>({
    name: 'claim-notice',
    text: `WITH claimed AS (
             UPDATE notices SET attempts = attempts + 1,
               due_at = now() + least(interval '1 minute' * power(2, least(attempts, 10)), ${longestWait})
             WHERE id = (SELECT id FROM notices WHERE due_at <= now() ORDER BY due_at, id FOR UPDATE SKIP LOCKED LIMIT 1)
             RETURNING *)
           SELECT c.id, c.account_id AS "accountId", c.kind, u.email AS recipient, a.name AS "accountName",
             c.device_id AS "deviceId", d.name AS "deviceName", c.at, c.created_at < now() - ${maxAge} AS "isLast",
             CASE WHEN right(d.phone_number, 4) = l.detail->>'number_ends' THEN d.phone_number END AS number,
             coalesce(l.detail->>'number_ends', '') AS "numberEnds",
             coalesce(l.actor, 'unknown') AS actor, coalesce(p.name, k.name) AS "actorName"
           FROM claimed c
           LEFT JOIN accounts a ON a.id = c.account_id
           LEFT JOIN members m ON m.account_id = c.account_id AND m.user_id = c.user_id AND m.role = 'owner'
           LEFT JOIN users u ON u.id = m.user_id
           LEFT JOIN devices d ON d.id = c.device_id
           -- Row and event are of one transaction, so they have the same time.
           LEFT JOIN LATERAL (
             SELECT * FROM audit_log l WHERE l.account_id = c.account_id AND l.at = c.at AND l.subject = c.device_id
               AND l.action = c.kind LIMIT 1) l ON true
           LEFT JOIN users p ON p.id = l.actor LEFT JOIN api_keys k ON k.id = l.actor`,
  });
  return rows[0] ?? null;
}

/** The mail server has the mail, or nobody is to get it any more. */
export async function endNotice({ pool }: Database, id: bigint): Promise<void> {
  await pool.query('DELETE FROM notices WHERE id = $1', [id]);
}
