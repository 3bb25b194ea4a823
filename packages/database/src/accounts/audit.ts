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
};

/** The row for Prisma. `subject` is the id of the changed thing, never a secret, a text or a phone number. */
export const auditRow = ({ accountId, actor, action }: Audit, subject: string | null) => ({
  id: newId('aud'),
  accountId,
  actor,
  action,
  subject,
});

type Queryable = pg.Pool | pg.PoolClient;

/** Adds the row. Call it in the transaction that makes the change. */
export async function noteAudit(queryable: Queryable, audit: Audit, subject: string | null): Promise<void> {
  const { id, accountId, actor, action } = auditRow(audit, subject);
  await queryable.query('INSERT INTO audit_log (id, account_id, actor, action, subject) VALUES ($1, $2, $3, $4, $5)', [
    id,
    accountId,
    actor,
    action,
    subject,
  ]);
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

/** Adds the row for an action that only reads. The caller reads after the row is committed. */
export const noteReading = (database: Database, audit: Audit): Promise<void> => noteAudit(database.pool, audit, null);

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
export async function noteRefusedSignIn({ pool }: Database, userId: UserId): Promise<void> {
  const { rows } = await pool.query<{ accountId: AccountId }>(
    'SELECT account_id AS "accountId" FROM members WHERE user_id = $1',
    [userId],
  );
  for (const { accountId } of rows)
    await noteAudit(pool, { accountId, actor: 'unknown', action: 'session.refused' }, userId);
}

export type AuditRow = {
  readonly id: string;
  readonly accountId: AccountId | null;
  readonly actor: string;
  /** The name of a person or a key. Null for the command line, and for actors that no longer exist. */
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string | null;
  /** The last digits of the number, if the action is about one. */
  readonly numberEnds: string | null;
  readonly at: Date;
};

export type AuditPage = { readonly entries: AuditRow[]; readonly nextCursor: string | null };

/** Entries of the account, newest first. With `accountId` null, entries of all accounts. */
export async function readAudit(
  database: Database,
  accountId: AccountId | null,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<AuditPage> {
  const { rows } = await database.lists.query<AuditRow>(
    `SELECT l.id, l.account_id AS "accountId", l.actor, coalesce(u.name, k.name) AS "actorName", l.action, l.subject,
            l.detail->>'number_ends' AS "numberEnds", l.at
     FROM audit_log l LEFT JOIN users u ON u.id = l.actor LEFT JOIN api_keys k ON k.id = l.actor
     WHERE ($1::text IS NULL OR l.account_id = $1) AND ($2::text IS NULL OR l.id < $2)
     ORDER BY l.id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit],
  );
  const entries = rows.slice(0, limit);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
