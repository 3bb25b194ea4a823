/** Who did what to an account. Rows are only ever added; the database refuses anything else. */
import { type AccountId, newId } from '@kurir/contracts';
import type { Database } from './connect.js';

/** Notes who did what to an account. `detail` must hold no secret, text or phone number. */
export async function recordAudit(
  database: Database,
  entry: {
    readonly accountId: AccountId | null;
    readonly actor: string;
    readonly action: string;
    readonly subject: string | null;
  },
): Promise<void> {
  await database.prisma.auditEntry.create({ data: { id: newId('aud'), ...entry } });
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
