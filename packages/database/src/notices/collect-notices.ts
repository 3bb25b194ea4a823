/**
 * Makes notices from the log of events. One transaction reads the log from a cursor on and makes a row for each member who is
 * to hear of an event. It also moves the cursor, so each event makes its notices once. Several processes may do this at once.
 *
 * The reader `prompt` reads an event at once. The reader `delayed` reads it when it is `awayMinutes` old, and tells only
 * what still holds: a device that came back makes no notice.
 */
import { awayMinutes, factsOfNotice, noticeKindNames } from '@kurir/contracts';
import { memberRoles } from '@kurir/contracts/dashboard';
import { type Database, inTransaction } from '../postgres/connect.js';
import { isSuspended } from '../devices/device-condition.js';
import { awaySince } from './away-since.js';

/** An event that is older makes no notice. */
const maxAge = `interval '1 day'`;
/** A person gets at most one mail about the same thing of the same subject in this time. */
const quiet = `interval '1 hour'`;
/** A mail of a kind that gathers waits so long for more of its kind, and so long after the last such mail. */
export const gatherFor = `interval '30 seconds'`;
export const mailsApart = `interval '10 minutes'`;
const pageMax = 100;

const here = `SELECT event_generation() AS generation, pg_snapshot_xmin(pg_current_snapshot()) AS horizon`;

type ReaderName = 'prompt' | 'delayed';

/** By reader, the kinds of events that it reads. The index `events_notices_idx` names all of them. */
const read: Record<ReaderName, string> = {
  prompt: `'device.linked', 'device.state_changed', 'device.limits_changed', 'quota.low', 'quota.exhausted', 'plan.expiring', 'webhook.failing', 'webhook.disabled', 'renewal.paid', 'member.joined', 'broadcast.state_changed'`,
  delayed: `'device.state_changed', 'device.link_lost', 'device.lapsed'`,
};

/** SQL: whether an event (`at`) is old enough for the reader. */
const isDue = (reader: ReaderName, at: string): string =>
  reader === 'prompt' ? 'true' : `${at} <= now() - interval '${awayMinutes} minutes'`;

/** SQL: the events after the cursor (`c`) of the reader. */
const unread = (reader: ReaderName): string => `FROM events e, (${here}) here
  WHERE e.kind IN (${read[reader]}) AND (e.generation, e.xid, e.seq) > (c.generation, c.xid, c.seq)
    AND (e.generation < here.generation OR e.xid < here.horizon)`;

const restricted = `(f.kind = 'device.limits_changed' AND f.until > f.at)`;
const banned = `(f.kind = 'device.state_changed' AND (f.state = 'banned' OR f.reason = 'temporarily_banned'))`;

/**
 * SQL over the page: what each event tells. `held`: skip it if an earlier notice's restriction still applies. `since`: skip it
 * if an earlier notice tells of something that happened from this time on.
 */
const promptly = `SELECT f.generation, f.xid, f.seq, f.account_id, f.subject_id AS subject, f.at, f.reason, f.until,
    CASE WHEN ${restricted} THEN 'device.restricted' WHEN ${banned} THEN 'device.banned'
      WHEN f.kind = 'broadcast.state_changed' THEN 'broadcast.finished' ELSE f.kind END AS notice,
    CASE WHEN f.device_id IS NULL THEN f.state END AS told, ${restricted} OR ${banned} AS held, f.at - ${quiet} AS since
  FROM page f
  WHERE ${restricted} OR ${banned} OR (f.kind = 'broadcast.state_changed' AND f.state = 'finished')
    OR f.kind NOT IN ('device.state_changed', 'device.limits_changed', 'broadcast.state_changed')`;

const delayed = `SELECT f.generation, f.xid, f.seq, f.account_id, f.subject_id AS subject, f.at, coalesce(d.state_reason, f.reason) AS reason,
    f.until, 'device.disconnected' AS notice, NULL::text AS told, false AS held, ${awaySince} AS since
  FROM page f JOIN devices d ON d.id = f.device_id JOIN device_leases l ON l.device_id = d.id
  WHERE f.at >= ${awaySince} AND CASE f.kind WHEN 'device.link_lost' THEN NOT d.linked
    WHEN 'device.lapsed' THEN d.linked ELSE d.linked AND f.state = 'connecting' END`;

const news: Record<ReaderName, string> = { prompt: promptly, delayed };

const those = (has: (facts: ReturnType<typeof factsOfNotice>) => boolean): string =>
  noticeKindNames
    .filter((kind) => has(factsOfNotice(kind)))
    .map((kind) => `'${kind}'`)
    .join(', ');

const pairs = noticeKindNames.flatMap((kind) =>
  memberRoles.slice(memberRoles.indexOf(factsOfNotice(kind).role)).map((role) => `('${kind}', '${role}')`),
);

/** SQL: whether a member (`m`) of this role gets notices of the kind. */
export const isFor = (kind: string): string => `(${kind}, m.role) IN (${pairs.join(', ')})`;

/** SQL: whether a member (`m`) gets mails of the kind. */
export const isMailed = (kind: string): string =>
  `(${kind} IN (${those(({ always }) => always === true)}) OR ${kind} <> ALL (m.mail_off))`;

/** SQL: whether one mail tells many notices of the kind. */
export const gathers = (kind: string): string => `${kind} IN (${those((facts) => facts.gathers === true)})`;

/** SQL: whether the member was told the same already. Each linked number counts. */
const isTold = `n.notice <> 'device.linked' AND EXISTS (
  SELECT 1 FROM notices t WHERE t.user_id = m.user_id AND t.account_id = n.account_id AND t.subject_id = n.subject AND t.kind = n.notice
    AND t.state IS NOT DISTINCT FROM n.told AND (t.at >= n.since OR (n.held AND t.until >= n.at)))`;

/** SQL: the next outage of a device is mailed so long after the last one, if it lasts until then. */
const quietUntil = `CASE w.notice WHEN 'device.disconnected' THEN (
  SELECT max(t.mailed_at) + ${quiet} FROM notices t WHERE t.user_id = w.user_id AND t.subject_id = w.subject AND t.kind = w.notice) END`;

const collect = (reader: ReaderName): string => `
  WITH next AS MATERIALIZED (
    SELECT e.* FROM notice_readers c CROSS JOIN LATERAL (
      SELECT e.generation, e.xid, e.seq, e.account_id, e.device_id, e.subject_id, e.kind, e.state, e.reason, e.until, e.at ${unread(reader)}
      ORDER BY e.generation, e.xid, e.seq LIMIT ${pageMax}) e WHERE c.name = '${reader}'),
  -- Up to the first event that is too young. Events are not ordered by time.
  page AS MATERIALIZED (
    SELECT * FROM (SELECT *, bool_and(${isDue(reader, 'at')}) OVER (ORDER BY generation, xid, seq) AS due FROM next) n WHERE due),
  news AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY notice, subject, told ORDER BY generation, xid, seq) AS nth
    FROM (${news[reader]}) f WHERE at >= now() - ${maxAge}),
  wanted AS MATERIALIZED (
    SELECT n.*, m.user_id, n.notice <> ALL (m.bell_off) AS in_bell, ${isMailed('n.notice')} AS mails
    -- Nobody hears of having joined.
    FROM news n JOIN members m ON m.account_id = n.account_id AND m.user_id <> n.subject AND ${isFor('n.notice')}
    WHERE (n.nth = 1 OR n.notice = 'device.linked') AND NOT (${isTold})),
  pauses AS MATERIALIZED (
    SELECT w.user_id, w.account_id, w.notice, max(t.mailed_at) + ${mailsApart} AS until
    FROM (SELECT DISTINCT user_id, account_id, notice FROM wanted WHERE mails AND ${gathers('notice')}) w
    JOIN notices t ON t.user_id = w.user_id AND t.account_id = w.account_id AND t.kind = w.notice AND t.mailed_at IS NOT NULL
      AND t.mailed_at > now() - ${mailsApart}
    GROUP BY w.user_id, w.account_id, w.notice),
  made AS (
    INSERT INTO notices (account_id, user_id, kind, subject_id, state, reason, until, at, in_bell, due_at)
    SELECT w.account_id, w.user_id, w.notice, w.subject, w.told, w.reason, w.until, w.at, w.in_bell,
      CASE WHEN w.mails THEN greatest(now() + CASE WHEN ${gathers('w.notice')} THEN ${gatherFor} ELSE interval '0' END, p.until, ${quietUntil}) END
    FROM wanted w LEFT JOIN pauses p USING (user_id, account_id, notice)
    WHERE w.mails OR w.in_bell ORDER BY w.generation, w.xid, w.seq
    RETURNING account_id),
  shown AS (
    INSERT INTO events (account_id, generation, subject_id, kind)
    SELECT DISTINCT account_id, event_generation(), account_id, 'notice.changed' FROM made),
  moved AS (
    UPDATE notice_readers SET (generation, xid, seq) = (
      SELECT generation, xid, seq FROM page ORDER BY generation DESC, xid DESC, seq DESC LIMIT 1)
    WHERE name = '${reader}' AND EXISTS (SELECT 1 FROM page))
  SELECT (SELECT count(*)::int FROM page) AS read, (SELECT count(*)::int FROM (${news[reader]}) f WHERE at < now() - ${maxAge}) AS "tooOld"`;

const texts: Record<ReaderName, string> = { prompt: collect('prompt'), delayed: collect('delayed') };

export type Collected = {
  /** The number of events that were too old for a notice. */
  readonly tooOld: number;
  /** There may be more events to read. */
  readonly hasMore: boolean;
};

async function collectOne({ pool }: Database, reader: ReaderName): Promise<Collected> {
  return inTransaction(pool, async (client) => {
    const lock = 'SELECT 1 FROM notice_readers WHERE name = $1 FOR UPDATE SKIP LOCKED';
    const { rowCount } = await client.query(lock, [reader]);
    if (rowCount === 0) return { tooOld: 0, hasMore: false };
    // A new statement, so that it sees the cursor that the last process left.
    const { rows } = await client.query<{ read: number; tooOld: number }>(texts[reader]);
    return { tooOld: rows[0]?.tooOld ?? 0, hasMore: rows[0]?.read === pageMax };
  });
}

/** Makes the notices of the next events. A part that another process does at the same time returns at once. */
export async function collectNotices(database: Database): Promise<Collected> {
  const prompt = await collectOne(database, 'prompt');
  const late = await collectOne(database, 'delayed');
  return { tooOld: prompt.tooOld + late.tooOld, hasMore: prompt.hasMore || late.hasMore };
}

const hasEvents = (reader: ReaderName): string => `EXISTS (SELECT 1 FROM notice_readers c CROSS JOIN LATERAL (
  SELECT e.at ${unread(reader)} ORDER BY e.generation, e.xid, e.seq LIMIT 1) e WHERE c.name = '${reader}' AND ${isDue(reader, 'e.at')})`;

/** Whether there are events to read. It locks and writes nothing. */
export async function hasNoticeEvents({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>({
    name: 'has-notice-events',
    text: `SELECT ${hasEvents('prompt')} OR ${hasEvents('delayed')} AS has`,
  });
  return rows[0]?.has === true;
}

/** A worker that takes a device over does so in less time. */
const lapsedFor = `interval '30 seconds'`;

/**
 * Adds `device.lapsed` to the log for each device whose lease ran out while it was connected. Nothing else writes an event
 * when all workers die. A second run adds none for the same lapse.
 */
export async function noteLapsedDevices({ pool }: Database): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `SELECT 1 FROM notice_readers WHERE name = 'delayed' FOR UPDATE SKIP LOCKED`,
    );
    if (rowCount === 0) return;
    await client.query(
      `INSERT INTO events (account_id, generation, device_id, subject_id, kind, reason)
       SELECT d.account_id, event_generation(), d.id, d.id, 'device.lapsed', 'no_capacity' FROM devices d JOIN device_leases l ON l.device_id = d.id
       WHERE d.state = 'connected' AND d.linked AND d.desired_state = 'linked' AND NOT ${isSuspended} AND l.expires_at < now() - ${lapsedFor}
         AND NOT EXISTS (SELECT 1 FROM events e WHERE e.subject_id = d.id AND e.kind = 'device.lapsed' AND e.at >= l.expires_at)`,
    );
  });
}
