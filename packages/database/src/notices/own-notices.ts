/** The notices of a person in one account: the list of the bell, and the kinds that the person switched off. */
import { type AccountId, factsOfNotice, type NoticeKind, noticeKindNames, type UserId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import { memberRoles } from '@kurir/contracts/dashboard';
import { type Database, inTransaction } from '../postgres/connect.js';
import { subjectJoins, subjectName } from './subject-name.js';

export type Membership = { readonly accountId: AccountId; readonly userId: UserId };

export type NoticeRow = {
  readonly id: bigint;
  readonly kind: NoticeKind;
  readonly at: Date;
  readonly isRead: boolean;
  readonly subject: string;
  readonly name: string | null;
  readonly state: string | null;
  readonly reason: string | null;
  readonly until: Date | null;
};

export type NoticePage = {
  readonly notices: readonly NoticeRow[];
  readonly nextCursor: string | null;
  /** Counts up to a hundred. */
  readonly unread: number;
};

const countMax = 100;

async function countUnread({ pool }: Database, { accountId, userId }: Membership): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'count-unread-notices',
    text: `SELECT 1 FROM notices WHERE account_id = $1 AND user_id = $2 AND in_bell AND read_at IS NULL LIMIT ${countMax}`,
    values: [accountId, userId],
  });
  return rowCount ?? 0;
}

/** Newest first. */
export async function listNotices(
  database: Database,
  member: Membership,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<NoticePage> {
  // A cursor that no answer gave finds nothing.
  const before = cursor === null ? null : /^\d{1,18}$/.test(cursor) ? cursor : '0';
  const { rows } = await database.pool.query<NoticeRow>({
    name: 'list-notices',
    text: `SELECT n.id, n.kind, n.at, n.read_at IS NOT NULL AS "isRead", n.subject_id AS subject, ${subjectName} AS name, n.state, n.reason, n.until
           FROM notices n ${subjectJoins('n')}
           WHERE n.account_id = $1 AND n.user_id = $2 AND n.in_bell AND ($3::bigint IS NULL OR n.id < $3) AND n.kind = ANY ($5)
           ORDER BY n.id DESC LIMIT $4 + 1`,
    values: [member.accountId, member.userId, before, limit, noticeKindNames],
  });
  const notices = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? String(notices.at(-1)?.id) : null;
  return { notices, nextCursor, unread: await countUnread(database, member) };
}

/** Marks one notice, or with `older` also all before it. Returns how many are still unread. A second call changes nothing. */
export async function markNotices(
  database: Database,
  member: Membership,
  { id, older }: { readonly id: string; readonly older: boolean },
): Promise<number> {
  await database.pool.query({
    name: 'mark-notices',
    text: `WITH marked AS (
             UPDATE notices SET read_at = now() WHERE account_id = $1 AND user_id = $2 AND in_bell AND read_at IS NULL
               AND (id = $3::bigint OR ($4 AND id < $3::bigint)) RETURNING account_id)
           INSERT INTO events (account_id, generation, subject_id, kind)
           SELECT DISTINCT account_id, event_generation(), account_id, 'notice.changed' FROM marked`,
    values: [member.accountId, member.userId, id, older],
  });
  return countUnread(database, member);
}

export type NoticeChoice = {
  readonly kind: NoticeKind;
  readonly mail: boolean;
  readonly bell: boolean;
  readonly always: boolean;
};

type ChoiceRow = { role: MemberRole; mail_off: string[]; bell_off: string[] };

function choicesOf(row: ChoiceRow | undefined): NoticeChoice[] {
  if (row === undefined) return [];
  const rank = memberRoles.indexOf(row.role);
  return noticeKindNames
    .map((kind) => ({ kind, ...factsOfNotice(kind) }))
    .filter(({ role }) => rank >= memberRoles.indexOf(role))
    .map(({ kind, always = false }) => ({
      kind,
      mail: always || !row.mail_off.includes(kind),
      bell: !row.bell_off.includes(kind),
      always,
    }));
}

/** The kinds that the person gets in the present role. */
export async function readNoticeChoices({ pool }: Database, member: Membership): Promise<NoticeChoice[]> {
  const { rows } = await pool.query<ChoiceRow>({
    name: 'read-notice-choices',
    text: 'SELECT role, mail_off, bell_off FROM members WHERE account_id = $1 AND user_id = $2',
    values: [member.accountId, member.userId],
  });
  return choicesOf(rows[0]);
}

/** Returns all choices after this one. Notices that are made already stay in the bell. A mail that still waits obeys the choice. */
export async function chooseNotices(
  { pool }: Database,
  { accountId, userId }: Membership,
  { kind, mail, bell }: Pick<NoticeChoice, 'kind' | 'mail' | 'bell'>,
): Promise<NoticeChoice[]> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<ChoiceRow>(
      `UPDATE members SET mail_off = array_remove(mail_off, $3) || CASE WHEN $4 THEN '{}' ELSE ARRAY[$3] END,
         bell_off = array_remove(bell_off, $3) || CASE WHEN $5 THEN '{}' ELSE ARRAY[$3] END
       WHERE account_id = $1 AND user_id = $2 RETURNING role, mail_off, bell_off`,
      [accountId, userId, kind, mail, bell],
    );
    return choicesOf(rows[0]);
  });
}
