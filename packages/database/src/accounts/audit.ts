/** Who did what to an account. Rows are only ever added; the database refuses anything else. */
import { type AccountId, type AuditAction, newId, type SignInAction, type UserId } from '@kurir/contracts';
import type pg from 'pg';
import { type Database, inTransaction } from '../postgres/connect.js';

/** A row of the audit log: what somebody did. `actor` is a person's id, a key's id, or `admin` for the command line. */
export type Audit = {
  /** Null: it concerns no single account. */
  readonly accountId: AccountId | null;
  readonly actor: string;
  readonly action: AuditAction;
};

/** The row as Prisma wants it. `subject` is the id of what was changed, never a secret, text or phone number. */
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
 * Makes a change and its row in one transaction. Returns what `change` returns; false: nothing changed, and nothing is
 * noted. Without `audit` nobody asked for it, as for test data.
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

/** The row as a write for Prisma's `$transaction([…])`; none without `audit`. */
export const auditWrites = ({ prisma }: Database, audit: Audit | undefined, subject: string) =>
  audit === undefined ? [] : [prisma.auditEntry.create({ data: auditRow(audit, subject) })];

/** What a person did with better-auth, which writes by itself: the one row that is written after the change. */
export async function noteSignIn(
  database: Database,
  userId: UserId,
  audit: Omit<Audit, 'actor'> & { readonly action: SignInAction },
): Promise<void> {
  await noteAudit(database.pool, { ...audit, actor: userId }, userId);
}

export type AuditRow = {
  readonly id: string;
  readonly accountId: AccountId | null;
  readonly actor: string;
  /** A person's or a key's; null for the command line and what is gone. */
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly at: Date;
};

export type AuditPage = { readonly entries: AuditRow[]; readonly nextCursor: string | null };

/** Newest first; `accountId` null: across accounts. */
export async function readAudit(
  database: Database,
  accountId: AccountId | null,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<AuditPage> {
  const { rows } = await database.lists.query<AuditRow>(
    `SELECT l.id, l.account_id AS "accountId", l.actor, coalesce(u.name, k.name) AS "actorName", l.action, l.subject, l.at
     FROM audit_log l LEFT JOIN users u ON u.id = l.actor LEFT JOIN api_keys k ON k.id = l.actor
     WHERE ($1::text IS NULL OR l.account_id = $1) AND ($2::text IS NULL OR l.id < $2)
     ORDER BY l.id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit],
  );
  const entries = rows.slice(0, limit);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
