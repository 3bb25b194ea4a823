/**
 * Suspends an account and ends that. The keys of a suspended account are refused, its members can only read, and no
 * worker connects its devices. Its messages wait, and end as expired when their time is over.
 */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { type Audit, audited } from '../accounts/audit.js';

/** Returns false if there is no such account. The members read the reason. A later reason replaces an earlier one. */
export const suspendAccount = (
  database: Database,
  accountId: AccountId,
  reason: string,
  audit?: Audit,
): Promise<boolean> =>
  audited(database, audit, accountId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `UPDATE accounts SET suspended_at = coalesce(suspended_at, now()), suspended_reason = $2
       WHERE id = $1 AND erasure_begun_at IS NULL`,
      [accountId, reason],
    );
    return rowCount === 1;
  });

/** Returns false if the account is not suspended. */
export const resumeAccount = (database: Database, accountId: AccountId, audit?: Audit): Promise<boolean> =>
  audited(database, audit, accountId, async (queryable) => {
    const { rowCount } = await queryable.query(
      'UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL WHERE id = $1 AND suspended_at IS NOT NULL',
      [accountId],
    );
    return rowCount === 1;
  });
