/**
 * The rights of people who watch live pages. While a stream stays open, sessions end, members leave and roles change.
 */
import type { AccountId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import type { Database } from '../postgres/connect.js';

export type StandingWatcher = {
  readonly sessionId: string;
  readonly accountId: AccountId;
  readonly role: MemberRole;
};

/**
 * Those of the sessions that are valid `at` this time and began after `bornAfter`, with each account of their person.
 */
export async function readStandingWatchers(
  database: Database,
  sessionIds: readonly string[],
  { at, bornAfter }: { readonly at: Date; readonly bornAfter: Date },
): Promise<StandingWatcher[]> {
  const { rows } = await database.pool.query<StandingWatcher>({
    name: 'read-standing-watchers',
    text: `SELECT s.id AS "sessionId", m.account_id AS "accountId", m.role
           FROM sessions s JOIN members m ON m.user_id = s.user_id
           WHERE s.id = ANY ($1::text[]) AND s.expires_at > $2 AND s.created_at >= $3`,
    values: [sessionIds, at, bornAfter],
  });
  return rows;
}
