/**
 * Notices that are to be mailed. An attempt moves `due_at` on before it sends. So a process that dies while it sends
 * causes a second mail, never a lost one. Notices of one person, account and kind go out in one mail.
 */
import type { AccountId, NoticeKind } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { awaySince } from './away-since.js';
import { subjectJoins, subjectName } from './subject-name.js';
import { gatherFor, gathers, isFor, isMailed, mailsApart } from './collect-notices.js';

/** A mail that was not sent for so long is given up. */
const maxAge = `interval '1 day'`;
const longestWait = `interval '1 hour'`;
/** The most notices of one mail. */
const togetherMax = 10_000;

/** One thing that a mail tells. */
export type NoticeItem = {
  readonly id: bigint;
  /** The id of a device, an endpoint, a renewal, a person, a broadcast, or the account. */
  readonly subject: string;
  /** The name of the thing, or the address of the webhook. Null: it is gone, or the notice is about the account. */
  readonly name: string | null;
  readonly state: string | null;
  readonly reason: string | null;
  readonly until: Date | null;
  readonly at: Date;
  /** The notice is a day old, so this attempt is its last one. */
  readonly isLast: boolean;
  /** The whole number that the device was linked with. Null: it was erased, or is another one by now. */
  readonly number: string | null;
  readonly numberEnds: string;
  /** The person or the key that asked for the link, `admin` for the command line, or `unknown`. */
  readonly actor: string;
  readonly actorName: string | null;
};

export type ClaimedNotices = {
  readonly kind: NoticeKind;
  readonly accountId: AccountId;
  readonly accountName: string | null;
  /** Null: the person may not get it any more, or switched such mails off. */
  readonly recipient: string | null;
  /** The language of the recipient, if it is known. */
  readonly language: string | null;
  /** In the order in which they happened. Empty: nothing of it holds any more. */
  readonly items: readonly NoticeItem[];
  /** Notices of devices that came back meanwhile. No mail is to tell them. */
  readonly over: readonly bigint[];
};

/** SQL. Due within the last day. Older ones were never tried, because there was no mail server. */
const isDue = `due_at <= now() AND due_at > now() - ${maxAge}`;

/** Whether there is a mail to send. It locks and writes nothing. */
export async function hasDueNotices({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'has-due-notices',
    text: `SELECT 1 FROM notices WHERE ${isDue} LIMIT 1`,
  });
  return rowCount === 1;
}

type Row = NoticeItem & Omit<ClaimedNotices, 'items' | 'over'> & { readonly holds: boolean };

/**
 * Takes the notice that is due longest, with others of its person, account and kind that are due. A notice that nobody has
 * tried to send comes along if it is due soon. A linked number and a payment have a mail of their own. Each is due again after a wait that
 * doubles with each attempt. Null: nothing is due.
 */
export async function claimNotices({ pool }: Database): Promise<ClaimedNotices | null> {
  const { rows } = await pool.query<Row>({
    name: 'claim-notices',
    text: `WITH first AS MATERIALIZED (
             SELECT id, account_id, user_id, kind FROM notices WHERE ${isDue} ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED),
           taken AS MATERIALIZED (
             SELECT n.id FROM notices n JOIN first f USING (account_id, user_id, kind)
             WHERE n.id = f.id OR (f.kind NOT IN ('device.linked', 'renewal.paid') AND n.due_at > now() - ${maxAge}
               AND n.due_at <= now() + CASE n.attempts WHEN 0 THEN ${gatherFor} ELSE interval '0' END)
             ORDER BY n.id = f.id DESC, n.id LIMIT ${togetherMax} FOR UPDATE OF n SKIP LOCKED),
           claimed AS (
             UPDATE notices SET attempts = attempts + 1,
               due_at = now() + least(interval '1 minute' * power(2, least(attempts, 10)), ${longestWait})
             WHERE id IN (SELECT id FROM taken) RETURNING *)
           SELECT c.id, c.account_id AS "accountId", c.kind, u.email AS recipient, u.language, a.name AS "accountName",
             c.subject_id AS subject, ${subjectName} AS name, c.state, c.reason, c.until, c.at, c.created_at < now() - ${maxAge} AS "isLast",
             CASE WHEN right(d.phone_number, 4) = l.detail->>'number_ends' THEN d.phone_number END AS number,
             coalesce(l.detail->>'number_ends', '') AS "numberEnds",
             coalesce(l.actor, 'unknown') AS actor, coalesce(p.name, k.name) AS "actorName",
             c.kind <> 'device.disconnected' OR coalesce(c.at >= away.since, false) AS holds
           FROM claimed c
           LEFT JOIN accounts a ON a.id = c.account_id
           LEFT JOIN members m ON m.account_id = c.account_id AND m.user_id = c.user_id AND ${isFor('c.kind')} AND ${isMailed('c.kind')}
           LEFT JOIN users u ON u.id = m.user_id
           ${subjectJoins('c')}
           -- Row and event are of one transaction, so they have the same time.
           LEFT JOIN LATERAL (
             SELECT * FROM audit_log l WHERE c.kind = 'device.linked' AND l.account_id = c.account_id AND l.at = c.at
               AND l.subject = c.subject_id AND l.action = c.kind LIMIT 1) l ON true
           LEFT JOIN LATERAL (SELECT ${awaySince} AS since FROM device_leases l WHERE l.device_id = d.id) away ON true
           LEFT JOIN users p ON p.id = l.actor LEFT JOIN api_keys k ON k.id = l.actor
           ORDER BY c.at, c.id`,
  });
  const [first] = rows;
  if (first === undefined) return null;
  const { kind, accountId, accountName, recipient, language } = first;
  const over = rows.filter(({ holds }) => !holds).map(({ id }) => id);
  return { kind, accountId, accountName, recipient, language, items: rows.filter(({ holds }) => holds), over };
}

/**
 * The mail server has the mail (`sent`), or nobody is to get it any more. After a mail, notices that go out together wait for
 * the time between two mails.
 */
export async function endNotices({ pool }: Database, ids: readonly bigint[], end: 'sent' | 'not-sent'): Promise<void> {
  await pool.query({
    name: 'end-notices',
    text: `WITH ended AS (
             UPDATE notices SET due_at = NULL, mailed_at = CASE WHEN $2 THEN now() ELSE mailed_at END WHERE id = ANY ($1::bigint[])
             RETURNING account_id, user_id, kind),
           next AS MATERIALIZED (
             SELECT id FROM notices WHERE $2 AND ${gathers('kind')} AND attempts = 0
               AND due_at > now() - ${maxAge} AND due_at < now() + ${mailsApart}
               AND (account_id, user_id, kind) IN (SELECT account_id, user_id, kind FROM ended) FOR UPDATE SKIP LOCKED)
           UPDATE notices SET due_at = now() + ${mailsApart} WHERE id IN (SELECT id FROM next)`,
    values: [ids, end === 'sent'],
  });
}
