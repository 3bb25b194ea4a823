/**
 * Suspends an account, and resumes it. The keys of a suspended account are refused, its members can only read, and no
 * worker connects its devices. Its messages wait, and end as expired when their time is over.
 */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { type Audit, audited } from '../accounts/audit.js';
import { endLinks } from '../devices/end-links.js';

const freeNow = `UPDATE device_leases l SET expires_at = now() FROM devices d
  WHERE d.id = l.device_id AND d.account_id = $1 AND l.owner IS NULL
    AND EXISTS (SELECT FROM accounts a WHERE a.id = $1 AND a.suspended_at IS NOT NULL)`;

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
    // A code that nobody waits for must not be asked for when the account resumes.
    await queryable.query(endLinks, [accountId]);
    return rowCount === 1;
  });

/** Returns false if the account is not suspended. */
export const resumeAccount = (database: Database, accountId: AccountId, audit?: Audit): Promise<boolean> =>
  audited(database, audit, accountId, async (queryable) => {
    // No device has waited for long, so no worker takes more than its share.
    await queryable.query(freeNow, [accountId]);
    const { rowCount } = await queryable.query(
      'UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL WHERE id = $1 AND suspended_at IS NOT NULL',
      [accountId],
    );
    return rowCount === 1;
  });
