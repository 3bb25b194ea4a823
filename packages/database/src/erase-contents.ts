/**
 * Erases contents while their messages stay: codes soon, others some time after the message's end. Passes go from the oldest
 * content to the newest, in bites. Any number of workers may be at it; running twice finds nothing left.
 */
import { type AccountId, newId } from '@kurir/contracts';
import { inBites } from './bites.js';
import type { Database } from './connect.js';
import { isCode } from './priority.js';
import { readUpgradeWindow } from './upgrade-window.js';

const contentsPerBite = 500;
const hourMs = 3_600_000;
const codeKeptHours = 1;
/** A phone that was off may ask again for a message that is only `sent`. */
const sentKeptHours = 14 * 24;

/** All smaller ids are of messages that were accepted more than so many hours ago. */
const idBefore = (hours: number) => newId('msg', Date.now() - hours * hourMs);

/** Over `messages m`: an hour after the code was delivered, or else after its time is up, whatever became of it. */
const isErasableCode = `(m.expires_at < now() - interval '${codeKeptHours} hours' OR EXISTS (
  SELECT 1 FROM message_events e
  WHERE e.message_id = m.id AND e.status = 'delivered' AND e.at < now() - interval '${codeKeptHours} hours'))`;

/** Over `messages m` that is no code: it ended more than so many hours ago. */
const isErasableOther = (hours: string) => `(m.stage = 2 AND coalesce(
    (SELECT max(e.at) FROM message_events e WHERE e.message_id = m.id), m.created_at)
  < now() - make_interval(hours => CASE WHEN m.status = 'sent' THEN ${sentKeptHours} ELSE ${hours} END))`;

type Row = { looked: number; last: string | null; erased: number };

/** Looks at the rows of `looked`, erases contents of those that `isErasable` (over `messages m`). */
const eraseStatement = (looked: string, isErasable: string) => `
  WITH looked AS MATERIALIZED (${looked}),
  erasable AS (
    SELECT looked.id FROM looked JOIN messages m ON m.id = looked.id COLLATE "default" WHERE ${isErasable}),
  gone AS (
    DELETE FROM message_contents c USING erasable WHERE c.message_id = erasable.id COLLATE "C" RETURNING 1)
  SELECT count(*)::int AS looked, max(looked.position)::text AS last, (SELECT count(*)::int FROM gone) AS erased FROM looked`;

/** `erase` gets the position of the row that it looked at last; at first the empty text. */
function eraseFrom(erase: (after: string) => Promise<Row | undefined>, signal: AbortSignal): Promise<number> {
  let after = '';
  return inBites(async () => {
    const { looked, last, erased } = (await erase(after)) ?? { looked: 0, last: null, erased: 0 };
    after = last ?? after;
    return { deleted: erased, isLast: looked < contentsPerBite };
  }, signal);
}

const lookedAt = (kind: string) => `
  SELECT message_id AS id, message_id AS position FROM message_contents
  WHERE ${kind} AND message_id > $1 AND message_id < $2 ORDER BY message_id LIMIT ${contentsPerBite}`;

export function eraseCodes({ pool }: Database, signal: AbortSignal): Promise<number> {
  const before = idBefore(codeKeptHours);
  const erase = async (after: string) => {
    const { rows } = await pool.query<Row>({
      name: 'erase-codes',
      text: eraseStatement(lookedAt('is_code'), isErasableCode),
      values: [after, before],
    });
    return rows[0];
  };
  return eraseFrom(erase, signal);
}

/** What is no code. `keptHours`: after the message's end; accounts may want less. */
export async function eraseContents(database: Database, keptHours: number, signal: AbortSignal): Promise<number> {
  let erased = await eraseOldest(database, keptHours, signal);
  for (const account of await readAccountsThatKeepLess(database, keptHours))
    erased += await eraseOfAccount(database, account, signal);
  return erased;
}

function eraseOldest({ pool }: Database, keptHours: number, signal: AbortSignal): Promise<number> {
  const before = idBefore(Math.min(keptHours, sentKeptHours));
  const erase = async (after: string) => {
    const { rows } = await pool.query<Row>({
      name: 'erase-contents',
      text: eraseStatement(lookedAt('NOT is_code'), isErasableOther('$3')),
      values: [after, before, keptHours],
    });
    return rows[0];
  };
  return eraseFrom(erase, signal);
}

type KeepsLess = { readonly id: AccountId; readonly keptHours: number };

async function readAccountsThatKeepLess({ pool }: Database, keptHours: number): Promise<KeepsLess[]> {
  const { rows } = await pool.query<KeepsLess>({
    name: 'read-accounts-that-keep-less',
    text: `SELECT id, text_retention_hours AS "keptHours" FROM accounts WHERE text_retention_hours < $1`,
    values: [keptHours],
  });
  return rows;
}

function eraseOfAccount({ pool }: Database, { id, keptHours }: KeepsLess, signal: AbortSignal): Promise<number> {
  const before = idBefore(Math.min(keptHours, sentKeptHours));
  const erase = async (after: string) => {
    const { rows } = await pool.query<Row>({
      name: 'erase-contents-of-account',
      text: eraseStatement(
        `SELECT id, seq AS position FROM messages
         WHERE account_id = $4 AND seq > $1::bigint AND id < $2 ORDER BY seq LIMIT ${contentsPerBite}`,
        `NOT (${isCode('m.priority')}) AND ${isErasableOther('$3')}`,
      ),
      values: [after === '' ? '0' : after, before, keptHours, id],
    });
    return rows[0];
  };
  return eraseFrom(erase, signal);
}

/** The same for texts that an earlier version stored with their messages. `hasMore`: some are still to be erased later. */
export async function eraseOldBodies(
  database: Database,
  keptHours: number,
  signal: AbortSignal,
): Promise<{ readonly erased: number; readonly hasMore: boolean }> {
  const window = await readUpgradeWindow(database);
  if (window === null) return { erased: 0, hasMore: false };
  const before = newId('msg', window.endsAt.getTime());
  let hasMore = window.leftMs > 0;
  const erase = async (after: string) => {
    const { rows } = await database.pool.query<Row & { left: boolean }>({
      name: 'erase-old-bodies',
      text: `WITH looked AS MATERIALIZED (
               SELECT id, body IS NOT NULL AS has_body FROM messages
               WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${contentsPerBite}),
             gone AS (
               UPDATE messages m SET body = NULL FROM looked, accounts a
               WHERE looked.has_body AND m.id = looked.id AND a.id = m.account_id
                 AND CASE WHEN ${isCode('m.priority')} THEN ${isErasableCode}
                     ELSE ${isErasableOther('LEAST($3, a.text_retention_hours)')} END
               RETURNING m.id)
             SELECT count(*)::int AS looked, max(id) AS last, (SELECT count(*)::int FROM gone) AS erased,
               count(*) FILTER (WHERE has_body) > (SELECT count(*) FROM gone) AS left FROM looked`,
      values: [after, before, keptHours],
    });
    hasMore ||= rows[0]?.left === true;
    return rows[0];
  };
  const erased = await eraseFrom(erase, signal);
  return { erased, hasMore: hasMore || signal.aborted };
}
