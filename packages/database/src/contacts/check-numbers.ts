/** Looks up in the traffic of an account which numbers are on the network. The network is not asked. */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type KnownNumber = {
  /** Null: nothing is known. */
  readonly onNetwork: boolean | null;
  /** When this was last seen: to the day if the number is on the network. */
  readonly at: Date | null;
};

/** A failure that is older says little: people register numbers. */
const failuresCountFor = `interval '90 days'`;
/** Traffic with a person is noted once a day, so it may be later than noted. */
const notedWithin = `interval '1 day'`;

/** The answers are in the order of the numbers. The latest sign counts. A failed test says nothing of a real network. */
export async function checkNumbers(
  { pool }: Database,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<KnownNumber[]> {
  const { rows } = await pool.query<KnownNumber>({
    name: 'check-numbers',
    text: `SELECT CASE WHEN failed.at IS NULL OR failed.at <= seen.at + ${notedWithin} THEN seen.at IS NOT NULL OR NULL ELSE false END AS "onNetwork",
             CASE WHEN failed.at IS NULL OR failed.at <= seen.at + ${notedWithin} THEN seen.at ELSE failed.at END AS at
           FROM unnest($2::text[]) WITH ORDINALITY AS asked (number, place)
           CROSS JOIN LATERAL (
             SELECT max(c.seen_at) AS at FROM devices d JOIN device_contacts c ON c.device_id = d.id AND c.recipient = asked.number
             WHERE d.account_id = $1 AND d.deleted_at IS NULL) seen
           CROSS JOIN LATERAL (
             SELECT max(m.created_at) AS at FROM messages m
             WHERE m.account_id = $1 AND m.recipient = asked.number AND m.reason = 'recipient_not_on_network'
               AND NOT starts_with(m.key_id, 'kk_test_')
               AND m.created_at > now() - ${failuresCountFor}) failed
           ORDER BY asked.place`,
    values: [accountId, numbers],
  });
  return rows;
}
