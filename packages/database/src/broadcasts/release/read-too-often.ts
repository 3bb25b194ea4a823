import { categoryRanks, isTestKey } from '@kurir/contracts';
import type pg from 'pg';
import { advisoryLocks } from '../../postgres/advisory-locks.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';

/** Over `messages m`: when it went out. A waiting message has that time before it. As in `messages_marketing_idx`. */
const wentOutAt = `CASE WHEN m.stage < 2 THEN 'infinity'::timestamptz ELSE coalesce(m.tried_at, m.created_at) END`;

/**
 * Those of the recipients who got as much marketing within 24 hours as the broadcast allows. Messages that wait count too.
 * Those of test keys reach nobody, so they count only for each other.
 * Releases of one account wait for each other here, so that two broadcasts at once count each other's messages.
 */
export async function readTooOften(
  client: pg.PoolClient,
  { accountId, category, maxPerDay, createdBy }: LockedBroadcast,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  if (maxPerDay === null || category !== categoryRanks.marketing || recipients.length === 0) return new Set();
  await client.query({
    name: 'lock-marketing-of-account',
    text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
    values: [advisoryLocks.marketing, accountId],
  });
  const { rows } = await client.query<{ recipient: string }>({
    name: 'read-too-often',
    text: `SELECT asked.recipient FROM unnest($2::text[]) AS asked (recipient) CROSS JOIN LATERAL (
             SELECT count(*) AS n FROM messages m
             WHERE m.account_id = $1 AND m.recipient = asked.recipient AND m.category = ${categoryRanks.marketing}
               AND ${wentOutAt} > now() - interval '24 hours' AND m.status NOT IN ('failed', 'expired', 'cancelled')
               AND starts_with(m.key_id, 'kk_test_') = $4) got
           WHERE got.n >= $3`,
    values: [accountId, [...new Set(recipients)], maxPerDay, isTestKey(createdBy)],
  });
  return new Set(rows.map(({ recipient }) => recipient));
}
