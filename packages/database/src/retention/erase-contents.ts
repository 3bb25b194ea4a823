/**
 * Erases contents while their messages stay. Codes are erased soon, other contents some time after the end of the
 * message. A pass goes from the oldest content to the newest, in batches. Several workers may run it at once; a second
 * run finds nothing left.
 */
import { type AccountId, newId } from '@kurir/contracts';
import { isCode, isNotCode } from '../devices/priority.js';
import { againAfterDeadlock, type Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';
import { readUpgradeWindow } from '../postgres/upgrade-window.js';
import { eraseInboundTexts } from './forget-inbound.js';

const contentsPerBatch = 500;
const hourMs = 3_600_000;
const codeKeptHours = 1;
/** The recipient's phone may have been off. It may ask again for a message that is only `sent`. */
const sentKeptHours = 14 * 24;

/** Smaller ids belong to messages that were accepted more than `hours` ago. */
const idBefore = (hours: number) => newId('msg', Date.now() - hours * hourMs);

/** Over `messages m`: some time after the delivery of a code, or after it expired, whatever its status. */
const isErasableCode = `(m.expires_at < now() - interval '${codeKeptHours} hours' OR EXISTS (
  SELECT 1 FROM message_events e
  WHERE e.message_id = m.id AND e.status = 'delivered' AND e.at < now() - interval '${codeKeptHours} hours'))`;

/** Over `messages m`: the last event was more than `hours` ago. */
const isStillFor = (hours: string) => `(coalesce(
  (SELECT max(e.at) FROM message_events e WHERE e.message_id = m.id), m.created_at) < now() - make_interval(hours => ${hours}))`;

/** Over `messages m` that is not a code. */
const isErasableSent = `(m.status = 'sent' AND ${isStillFor(String(sentKeptHours))})`;
const isErasableEnded = (hours: string) => `(m.stage = 2 AND m.status <> 'sent' AND ${isStillFor(hours)})`;

type Batch = { looked: number; last: string | null; erased: number };

/** SQL of a batch. `looked` selects ids and positions. The contents of messages `m` that are `erasable` are deleted. */
const eraseStatement = (looked: string, erasable: string) => `
  WITH looked AS MATERIALIZED (${looked}),
  old AS (SELECT looked.id FROM looked JOIN messages m ON m.id = looked.id COLLATE "default" WHERE ${erasable}),
  gone AS (DELETE FROM message_contents c USING old WHERE c.message_id = old.id COLLATE "C" RETURNING 1)
  SELECT count(*)::int AS looked, max(looked.position)::text AS last, (SELECT count(*)::int FROM gone) AS erased FROM looked`;

/** Contents in the order of their ids, after `$1` and before `$2`. */
const contentsThat = (kind: string) => `
  SELECT message_id AS id, message_id AS position FROM message_contents
  WHERE ${kind} AND message_id > $1 AND message_id < $2 ORDER BY message_id LIMIT ${contentsPerBatch}`;

/** One pass. `erase` gets the last position of the batch before, and first gets `from`. */
function pass(
  from: string,
  erase: (after: string) => Promise<Batch | undefined>,
  signal: AbortSignal,
): Promise<number> {
  let after = from;
  return runInBatches(async () => {
    const { looked, last, erased } = (await erase(after)) ?? { looked: 0, last: null, erased: 0 };
    after = last ?? after;
    return { deleted: erased, isLast: looked < contentsPerBatch };
  }, signal);
}

export function eraseCodes({ pool }: Database, signal: AbortSignal): Promise<number> {
  const text = eraseStatement(contentsThat('is_code'), isErasableCode);
  const before = idBefore(codeKeptHours);
  const erase = async (after: string) =>
    (await pool.query<Batch>({ name: 'erase-codes', text, values: [after, before] })).rows[0];
  return pass('', erase, signal);
}

/**
 * Erases contents that are not codes, and what people wrote. `keptHours` begins at the end of the message; an account may have chosen a
 * shorter time.
 */
export async function eraseContents(database: Database, keptHours: number, signal: AbortSignal): Promise<number> {
  let erased = await eraseSent(database, signal);
  erased += await eraseEnded(database, keptHours, signal);
  erased += await eraseInboundTexts(database, keptHours, null, signal);
  for (const account of await readAccountsThatKeepLess(database, keptHours))
    erased +=
      (await eraseOfAccount(database, account, signal)) +
      (await eraseInboundTexts(database, account.keptHours, account.id, signal));
  return erased;
}

function eraseSent({ pool }: Database, signal: AbortSignal): Promise<number> {
  const text = eraseStatement(contentsThat('NOT is_code'), isErasableSent);
  const before = idBefore(sentKeptHours);
  const erase = async (after: string) =>
    (await pool.query<Batch>({ name: 'erase-sent', text, values: [after, before] })).rows[0];
  return pass('', erase, signal);
}

function eraseEnded({ pool }: Database, keptHours: number, signal: AbortSignal): Promise<number> {
  const text = eraseStatement(contentsThat('NOT is_code'), isErasableEnded('$3'));
  const before = idBefore(keptHours);
  const erase = async (after: string) =>
    (await pool.query<Batch>({ name: 'erase-ended', text, values: [after, before, keptHours] })).rows[0];
  return pass('', erase, signal);
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
  const itsContents = `
    SELECT m.id, m.seq AS position FROM messages m JOIN message_contents c ON c.message_id = m.id COLLATE "C"
    WHERE m.account_id = $4 AND m.seq > $1::bigint AND m.id < $2 AND ${isNotCode('m.priority')}
    ORDER BY m.seq LIMIT ${contentsPerBatch}`;
  const text = eraseStatement(itsContents, isErasableEnded('$3'));
  const before = idBefore(keptHours);
  const erase = async (after: string) =>
    (await pool.query<Batch>({ name: 'erase-of-account', text, values: [after, before, keptHours, id] })).rows[0];
  return pass('0', erase, signal);
}

const eraseBodies = `
  WITH looked AS MATERIALIZED (SELECT id FROM messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${contentsPerBatch}),
  old AS MATERIALIZED (
    SELECT m.id FROM looked JOIN messages m USING (id) JOIN accounts a ON a.id = m.account_id
    WHERE m.body <> '' AND CASE WHEN ${isCode('m.priority')} THEN ${isErasableCode}
      ELSE ${isErasableSent} OR ${isErasableEnded('LEAST($3, a.text_retention_hours)')} END
    ORDER BY m.id FOR NO KEY UPDATE OF m SKIP LOCKED),
  gone AS (UPDATE messages m SET body = '' FROM old WHERE m.id = old.id AND m.body <> '' RETURNING m.id)
  SELECT count(*)::int AS looked, max(looked.id) AS last, (SELECT count(*)::int FROM gone) AS erased,
    (SELECT count(*) FROM looked JOIN messages m USING (id) WHERE m.body <> '') > (SELECT count(*) FROM gone) AS "hasMore"
  FROM looked`;

/** Apis of the earlier version may store texts for this long after the end of the upgrade window. */
const lateHours = 24;

/** Erases texts that an earlier version stored in `messages.body`. `hasMore`: some must be erased later. */
export async function eraseOldBodies(
  database: Database,
  keptHours: number,
  signal: AbortSignal,
): Promise<{ readonly erased: number; readonly hasMore: boolean }> {
  const window = await readUpgradeWindow(database);
  if (window === null) return { erased: 0, hasMore: false };
  const before = newId('msg', window.endsAt.getTime() + lateHours * hourMs);
  let hasMore = window.leftMs + lateHours * hourMs > 0;
  const erase = async (after: string) => {
    const statement = { name: 'erase-old-bodies', text: eraseBodies, values: [after, before, keptHours] };
    const { rows } = await againAfterDeadlock(() => database.pool.query<Batch & { hasMore: boolean }>(statement));
    hasMore ||= rows[0]?.hasMore === true;
    return rows[0];
  };
  const erased = await pass('', erase, signal);
  return { erased, hasMore: hasMore || signal.aborted };
}
