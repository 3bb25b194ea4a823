/**
 * Erases a person: their row with everything of better-auth, their memberships, invitations to their address, and kept
 * mails. All of it is one commit, so a second run finds nothing. Messages that they sent and rows of the audit log keep
 * an id that names nobody any more.
 */
import type { AccountId, UserId } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { shutAccount } from './erase-account.js';

export type PersonCount = {
  readonly person: number;
  readonly memberships: number;
  readonly sessions: number;
  readonly passkeys: number;
  readonly invitations: number;
  readonly mails: number;
};

/** `$1` is the address in lower case. */
const itsMails = `strpos(lower(recipient || ' ' || subject || ' ' || text), $1) > 0`;

/** Counts what an erasure of this address would take. */
export async function countPerson({ pool }: Database, email: string): Promise<PersonCount> {
  const { rows } = await pool.query<PersonCount>(
    `WITH who AS (SELECT id FROM users WHERE lower(email) = $1)
     SELECT (SELECT count(*)::int FROM who) AS person,
       (SELECT count(*)::int FROM members WHERE user_id IN (SELECT id FROM who)) AS memberships,
       (SELECT count(*)::int FROM sessions WHERE user_id IN (SELECT id FROM who)) AS sessions,
       (SELECT count(*)::int FROM passkeys WHERE user_id IN (SELECT id FROM who)) AS passkeys,
       (SELECT count(*)::int FROM invitations WHERE email = $1) AS invitations,
       (SELECT count(*)::int FROM kept_mails WHERE ${itsMails}) AS mails`,
    [email.toLowerCase()],
  );
  const [counted] = rows;
  if (counted === undefined) throw new Error('a count returned no row');
  return counted;
}

/** An account that would have no owner any more. `lonely`: it has neither other members nor anything alive. */
export type Orphan = { readonly accountId: AccountId; readonly name: string; readonly lonely: boolean };

/** The lock on the accounts keeps their members as they are until the commit. */
async function lockOrphans(client: pg.PoolClient, userId: UserId): Promise<Orphan[]> {
  await client.query(
    `SELECT 1 FROM accounts WHERE id IN (SELECT account_id FROM members WHERE user_id = $1) ORDER BY id FOR UPDATE`,
    [userId],
  );
  const { rows } = await client.query<Orphan>(
    `SELECT a.id AS "accountId", a.name,
       NOT EXISTS (SELECT 1 FROM members o WHERE o.account_id = a.id AND o.user_id <> $1)
       AND NOT EXISTS (SELECT 1 FROM devices d WHERE d.account_id = a.id AND d.deleted_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.account_id = a.id AND k.revoked_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM renewals r JOIN subscription_periods p ON p.id = r.period_id
         WHERE r.account_id = a.id AND p.ends_at > now()) AS lonely
     FROM accounts a JOIN members m ON m.account_id = a.id AND m.user_id = $1 AND m.role = 'owner'
     WHERE NOT EXISTS (SELECT 1 FROM members o WHERE o.account_id = a.id AND o.role = 'owner' AND o.user_id <> $1)
     ORDER BY a.id`,
    [userId],
  );
  return rows;
}

export type PersonErasure =
  /** `accounts` are those that are being erased with the person. Continue them. */
  | { readonly kind: 'erased'; readonly userId: UserId | null; readonly accounts: readonly AccountId[] }
  | { readonly kind: 'last-owner'; readonly accounts: readonly Orphan[] };

/** Null as `accountId` and the actor of the action. */
export type ErasedBy = Pick<Audit, 'actor'>;

/** An account that only this person has, and in which nothing is alive, is erased with the person. */
export function erasePerson(database: Database, email: string, { actor }: ErasedBy): Promise<PersonErasure> {
  const address = email.toLowerCase();
  return inTransaction(database.pool, async (client): Promise<PersonErasure> => {
    const { rows } = await client.query<{ id: UserId }>('SELECT id FROM users WHERE lower(email) = $1 FOR UPDATE', [
      address,
    ]);
    const userId = rows[0]?.id ?? null;
    const orphans = userId === null ? [] : await lockOrphans(client, userId);
    const blocking = orphans.filter(({ lonely }) => !lonely);
    if (blocking.length > 0) return { kind: 'last-owner', accounts: blocking };
    for (const { accountId } of orphans)
      await shutAccount(client, accountId, { accountId, actor, action: 'account.erased' });
    const gone = await eraseAddress(client, address);
    if (userId !== null) await eraseUser(client, userId, actor);
    if (userId !== null || gone > 0)
      await noteAudit(client, { accountId: null, actor, action: 'person.erased' }, userId);
    return { kind: 'erased', userId, accounts: orphans.map(({ accountId }) => accountId) };
  });
}

async function eraseAddress(client: pg.PoolClient, address: string): Promise<number> {
  const invitations = await client.query('DELETE FROM invitations WHERE email = $1', [address]);
  const mails = await client.query(`DELETE FROM kept_mails WHERE ${itsMails}`, [address]);
  return (invitations.rowCount ?? 0) + (mails.rowCount ?? 0);
}

async function eraseUser(client: pg.PoolClient, userId: UserId, actor: string): Promise<void> {
  const { rows } = await client.query<{ account_id: AccountId }>(
    'DELETE FROM members WHERE user_id = $1 RETURNING account_id',
    [userId],
  );
  for (const { account_id: accountId } of rows)
    await noteAudit(client, { accountId, actor, action: 'member.removed' }, userId);
  await client.query('DELETE FROM audit_addresses WHERE actor = $1', [userId]);
  // A refused sign-in names the person only as its subject.
  await client.query(
    `DELETE FROM audit_addresses WHERE entry_id IN (
       SELECT id FROM audit_log WHERE account_id = ANY ($2::text[]) AND subject = $1 AND action = 'session.refused')`,
    [userId, rows.map((row) => row.account_id)],
  );
  // Links and questions of better-auth name the person in their value.
  await client.query('DELETE FROM verifications WHERE strpos(value, $1) > 0', [userId]);
  // Sessions, sign-in methods, two-factor secrets and passkeys go with it.
  await client.query('DELETE FROM users WHERE id = $1', [userId]);
}
