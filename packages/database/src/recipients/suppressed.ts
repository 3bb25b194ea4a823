/**
 * Recipients that an account may not write to. A suppression names its recipient by a key, so that it outlives the erasure
 * of the number. Until then it has the recipient too, for the statements that cannot make the key.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { type AccountId, categoryRanks, type MessageCategory } from '@kurir/contracts';
import type pg from 'pg';

/** `key` is the fingerprint key of the account. */
export const recipientKeyOf = (key: KeyObject, recipient: string): Buffer =>
  createHmac('sha256', key).update(`suppression|${recipient}`).digest();

/** Over `suppressions s` and `messages m`: the suppression concerns the message's category. */
export const concerns = `(s.scope = 'all' OR m.category = ${categoryRanks.marketing})`;

/** Over `messages m`. */
export const isSuppressed = `EXISTS (SELECT FROM suppressions s WHERE s.account_id = m.account_id AND s.recipient = m.recipient AND ${concerns})`;

type Asked = { readonly accountId: AccountId; readonly recipientKey: Buffer };

const nameOf = ({ accountId, recipientKey }: Asked, scope: string) =>
  `${accountId} ${scope} ${recipientKey.toString('latin1')}`;

/** Returns whether a message to one of the recipients is refused. */
export async function readSuppressed(
  client: pg.PoolClient,
  asked: readonly Asked[],
): Promise<(of: Asked, category: MessageCategory) => boolean> {
  const { rows } = await client.query<Asked & { scope: string }>({
    name: 'read-suppressed',
    text: `SELECT s.account_id AS "accountId", s.recipient_key AS "recipientKey", s.scope FROM suppressions s
           JOIN unnest($1::text[], $2::bytea[]) AS asked (account_id, recipient_key) USING (account_id, recipient_key)`,
    values: [asked.map(({ accountId }) => accountId), asked.map(({ recipientKey }) => recipientKey)],
  });
  const found = new Set(rows.map((row) => nameOf(row, row.scope)));
  return (of, category) =>
    found.size > 0 &&
    (found.has(nameOf(of, 'all')) || (category === 'marketing' && found.has(nameOf(of, 'marketing'))));
}
