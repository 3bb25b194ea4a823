import { categoryRanks, isTestKey } from '@kurir/contracts';
import type pg from 'pg';
import { advisoryLocks } from '../../postgres/advisory-locks.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';

/** Over `messages m`: when it went out. A waiting message has that time before it. As in `messages_marketing_idx`. */
const wentOutAt = `CASE WHEN m.stage < 2 THEN 'infinity'::timestamptz ELSE coalesce(m.tried_at, m.created_at) END`;

/** SQL: whether `asked.recipient` got as much marketing in the 24 hours before `at` as is allowed. */
const isTooOften = (
  at: string,
  { accountId, maxPerDay, ofTests }: Record<'accountId' | 'maxPerDay' | 'ofTests', string>,
) => `
  (SELECT count(*) FROM messages m
   WHERE m.account_id = ${accountId} AND m.recipient = asked.recipient AND m.category = ${categoryRanks.marketing}
     AND ${wentOutAt} > ${at} - interval '24 hours' AND m.status NOT IN ('failed', 'expired', 'cancelled')
     AND starts_with(m.key_id, 'kk_test_') = ${ofTests}) >= ${maxPerDay}`;

const isUnlimited = ({ category, maxPerDay }: LockedBroadcast) =>
  maxPerDay === null || category !== categoryRanks.marketing;

/**
 * Those of the recipients who got as much marketing within 24 hours as the broadcast allows. Messages that wait count too.
 * Those of test keys reach nobody, so they count only for each other.
 * Releases of one account wait for each other here, so that two broadcasts at once count each other's messages.
 */
export async function readTooOften(
  client: pg.PoolClient,
  broadcast: LockedBroadcast,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  if (isUnlimited(broadcast) || recipients.length === 0) return new Set();
  const { accountId, maxPerDay, createdBy } = broadcast;
  await client.query({
    name: 'lock-marketing-of-account',
    text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
    values: [advisoryLocks.marketing, accountId],
  });
  const { rows } = await client.query<{ recipient: string }>({
    name: 'read-too-often',
    text: `SELECT asked.recipient FROM unnest($2::text[]) AS asked (recipient)
           WHERE ${isTooOften('now()', { accountId: '$1', maxPerDay: '$3', ofTests: '$4' })}`,
    values: [accountId, [...new Set(recipients)], maxPerDay, isTestKey(createdBy)],
  });
  return new Set(rows.map(({ recipient }) => recipient));
}

/** A million recipients are looked up in parts, so that no statement takes long. */
const positionsAtOnce = 20_000;

/** Counts the recipients who would be skipped for this if the broadcast began at its time. It locks nothing. */
export async function countTooOften(
  pool: pg.Pool,
  broadcast: LockedBroadcast,
  closed: readonly string[],
): Promise<number> {
  if (isUnlimited(broadcast)) return 0;
  const { id, accountId, maxPerDay, createdBy, sendAt } = broadcast;
  const { rows: last } = await pool.query<{ position: number }>(
    'SELECT coalesce(max(position), -1) AS position FROM broadcast_recipients WHERE broadcast_id = $1',
    [id],
  );
  let count = 0;
  for (let from = 0; from <= (last[0]?.position ?? -1); from += positionsAtOnce) {
    const { rows } = await pool.query<{ n: number }>({
      name: 'count-too-often',
      text: `SELECT count(*)::int AS n FROM broadcast_recipients asked
             WHERE broadcast_id = $1 AND position >= $2 AND position < $2 + ${positionsAtOnce} AND state = 0 AND round = 1
               AND (zone IS NULL OR zone <> ALL ($3::text[]))
               AND ${isTooOften('greatest($7::timestamptz, now())', { accountId: '$4', maxPerDay: '$5', ofTests: '$6' })}`,
      values: [id, from, closed, accountId, maxPerDay, isTestKey(createdBy), sendAt],
    });
    count += rows[0]?.n ?? 0;
  }
  return count;
}
