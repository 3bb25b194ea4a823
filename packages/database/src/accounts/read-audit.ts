/** Reads the audit log, in pages and by a filter. */
import { type AccountId, limits, newId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type AuditRow = {
  readonly id: string;
  readonly accountId: AccountId | null;
  readonly actor: string;
  /** The name of a person or a key. Null for the command line, and for actors that no longer exist. */
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string | null;
  /** The present name of the thing. Null: it has no name, or is gone. */
  readonly subjectName: string | null;
  /** When the renewal that the action is about was paid. Null: it is not paid, or the action is about something else. */
  readonly paidAt: Date | null;
  /** The last digits of the number, if the action is about one. */
  readonly numberEnds: string | null;
  /** Null: the action came without a request, or its address is forgotten. */
  readonly address: string | null;
  readonly at: Date;
};

/** Null: not asked for. */
export type AuditFilter = {
  /** The words of an action before its dot. */
  readonly nouns: readonly string[] | null;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
};

export const wholeLog: AuditFilter = { nouns: null, actor: null, subject: null, since: null, until: null };

export type AuditPage = { readonly entries: AuditRow[]; readonly nextCursor: string | null };

/** The clocks of the api and of Postgres differ by less. */
const skewMs = 86_400_000;

/** Ids begin with `aud_` and ten characters of time. Returns the first id of the moment. */
const idAt = (at: Date) => newId('aud', Math.max(0, at.getTime())).slice(0, 14);

/** A time narrows the ids too, so that the index leads to the rows of the time. */
const idBounds = ({ since, until }: AuditFilter) => ({
  from: since === null ? null : idAt(new Date(since.getTime() - skewMs)),
  before: until === null ? null : idAt(new Date(until.getTime() + skewMs)),
});

/** No index has the words of actions, so a page looks through a bounded number of entries for them. */
const lookedAtOnce = 20_000;

/** SQL: the name of the thing that an entry (`e`) is about. The beginning of its id says what it is. */
const subjectName = `CASE left(e.subject, 4)
       WHEN 'acc_' THEN (SELECT name FROM accounts WHERE id = e.subject)
       WHEN 'usr_' THEN (SELECT name FROM users WHERE id = e.subject)
       WHEN 'dev_' THEN (SELECT name FROM devices WHERE id = e.subject)
       WHEN 'brc_' THEN (SELECT name FROM broadcasts WHERE id = e.subject)
       WHEN 'tpl_' THEN (SELECT name FROM templates WHERE id = e.subject)
       WHEN 'pln_' THEN (SELECT name FROM plans WHERE id = e.subject)
       WHEN 'rnw_' THEN (SELECT plan_name FROM renewals WHERE id = e.subject)
       WHEN 'kk_l' THEN (SELECT name FROM api_keys WHERE id = e.subject)
       WHEN 'kk_t' THEN (SELECT name FROM api_keys WHERE id = e.subject) END`;

type Looked = AuditRow & { readonly looked: number; readonly lastLooked: string | null };

/**
 * Entries of the account, newest first. With `accountId` null, entries of all accounts. A page of some actions may be short
 * or empty although older ones follow.
 */
export async function readAudit(
  database: Database,
  accountId: AccountId | null,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  filter: AuditFilter = wholeLog,
): Promise<AuditPage> {
  const { from, before } = idBounds(filter);
  const { nouns, actor, subject, since, until } = filter;
  const mostLooked = nouns === null ? limit + 1 : lookedAtOnce;
  const { rows } = await database.lists.query<Looked>(
    `WITH looked AS MATERIALIZED (
       SELECT * FROM audit_log l
       WHERE ($1::text IS NULL OR l.account_id = $1) AND ($2::text IS NULL OR l.id < $2)
         AND ($5::text IS NULL OR l.actor = $5) AND ($6::text IS NULL OR l.subject = $6)
         AND ($7::timestamptz IS NULL OR l.at >= $7) AND ($8::timestamptz IS NULL OR l.at < $8)
         AND ($9::text IS NULL OR l.id >= $9) AND ($10::text IS NULL OR l.id < $10)
       ORDER BY l.id DESC LIMIT $11),
     seen AS (SELECT count(*)::int AS looked, min(id) AS last FROM looked)
     SELECT e.*, ${subjectName} AS "subjectName", (SELECT paid_at FROM renewals WHERE id = e.subject) AS "paidAt" FROM (
     SELECT l.id, l.account_id AS "accountId", l.actor, coalesce(u.name, k.name) AS "actorName", l.action, l.subject,
            l.detail->>'number_ends' AS "numberEnds", d.address, l.at, seen.looked, seen.last AS "lastLooked"
     FROM seen LEFT JOIN looked l ON $4::text[] IS NULL OR split_part(l.action, '.', 1) = ANY ($4)
       LEFT JOIN users u ON u.id = l.actor LEFT JOIN api_keys k ON k.id = l.actor
       LEFT JOIN audit_addresses d ON d.entry_id = l.id AND d.at > now() - interval '${limits.auditAddressDays} days'
     ORDER BY l.id DESC LIMIT $3 + 1) e ORDER BY e.id DESC`,
    [accountId, cursor, limit, nouns, actor, subject, since, until, from, before, mostLooked],
  );
  return { entries: entriesOf(rows, limit), nextCursor: nextCursorOf(rows, limit, mostLooked) };
}

/** The counts come also without an entry that fits. */
const entriesOf = (rows: readonly Looked[], limit: number): AuditRow[] =>
  rows
    .filter(({ id }) => id !== null)
    .slice(0, limit)
    .map(({ looked: _looked, lastLooked: _last, ...entry }) => entry);

function nextCursorOf(rows: readonly Looked[], limit: number, mostLooked: number): string | null {
  if (rows.length > limit) return rows[limit - 1]?.id ?? null;
  const [counts] = rows;
  return counts === undefined || counts.looked < mostLooked ? null : counts.lastLooked;
}
