/** The audit log. Rows are only added; the database refuses to change or delete one. */
import { type AccountId, type AuditAction, newId, type SignInAction, type UserId } from '@kurir/contracts';
import type pg from 'pg';
import { type Database, inTransaction } from '../postgres/connect.js';

/** One action in the audit log. `actor` is a person's id, a key's id, `admin` for the command line, or `unknown`. */
export type Audit = {
  /** Null: the action concerns no single account. */
  readonly accountId: AccountId | null;
  readonly actor: string;
  readonly action: AuditAction;
  /** The address of the caller, if the action came with a request. It is forgotten sooner than the row. */
  readonly address?: string | null;
};

/** The row for Prisma. `subject` is the id of the changed thing, never a secret, a text or a phone number. */
export const auditRow = ({ accountId, actor, action, address = null }: Audit, subject: string | null) => ({
  id: newId('aud'),
  accountId,
  actor,
  action,
  subject,
  ...(address === null ? {} : { address: { create: { accountId, actor, address } } }),
});

type Queryable = pg.Pool | pg.PoolClient;

/** Adds the row. Call it in the transaction that makes the change. */
export async function noteAudit(queryable: Queryable, audit: Audit, subject: string | null): Promise<void> {
  const { accountId, actor, action, address = null } = audit;
  await queryable.query(
    `WITH noted AS (
       INSERT INTO audit_log (id, account_id, actor, action, subject) VALUES ($1, $2, $3, $4, $5)
       RETURNING id, account_id, actor)
     INSERT INTO audit_addresses (entry_id, account_id, actor, address)
     SELECT id, account_id, actor, $6 FROM noted WHERE $6::text IS NOT NULL`,
    [newId('aud'), accountId, actor, action, subject, address],
  );
}

/**
 * Makes a change and adds its row in one transaction. Returns the result of `change`. If that is false, nothing changed
 * and no row is added. Test data has no `audit`, and so no row.
 */
export async function audited(
  { pool }: Database,
  audit: Audit | undefined,
  subject: string,
  change: (queryable: Queryable) => Promise<boolean>,
): Promise<boolean> {
  if (audit === undefined) return change(pool);
  return inTransaction(pool, async (client) => {
    const changed = await change(client);
    if (changed) await noteAudit(client, audit, subject);
    return changed;
  });
}

/** The row as a write for Prisma's `$transaction([…])`. Empty without `audit`. */
export const auditWrites = ({ prisma }: Database, audit: Audit | undefined, subject: string) =>
  audit === undefined ? [] : [prisma.auditEntry.create({ data: auditRow(audit, subject) })];

/** Adds the row for an action that only reads. The caller answers after the row is committed. */
export const noteReading = (database: Database, audit: Audit, subject: string | null = null): Promise<void> =>
  noteAudit(database.pool, audit, subject);

/**
 * Adds the row for an action of better-auth. It is the only row that is added after the change: better-auth uses its
 * own transaction.
 */
export async function noteSignIn(
  database: Database,
  userId: UserId,
  audit: Omit<Audit, 'actor'> & { readonly action: SignInAction },
): Promise<void> {
  await noteAudit(database.pool, { ...audit, actor: userId }, userId);
}

/** Adds a row to each account of the person: somebody, who may be another person, had no right password for the address. */
export async function noteRefusedSignIn({ pool }: Database, userId: UserId, address: string | null): Promise<void> {
  const { rows } = await pool.query<{ accountId: AccountId }>(
    'SELECT account_id AS "accountId" FROM members WHERE user_id = $1',
    [userId],
  );
  for (const { accountId } of rows)
    await noteAudit(pool, { accountId, actor: 'unknown', action: 'session.refused', address }, userId);
}
