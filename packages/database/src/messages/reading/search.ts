/**
 * A search for a part of a number, of a client_ref or of a broadcast's name. No index holds parts: it would cost every
 * accepted message. So a search looks through a bounded number of messages, newest first, and its cursor goes on with
 * older ones. It finds whole ids and whole client_refs of any age by their indexes.
 */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../../postgres/connect.js';

/** One request looks through at most so many messages. */
export const searchedAtOnce = 20_000;

/** The sequence number of the oldest message that a request looks through. Null: it looks through all. */
export async function searchStart(
  { lists }: Database,
  accountId: AccountId,
  before: string | null,
): Promise<string | null> {
  const { rows } = await lists.query<{ seq: string }>(
    `SELECT m.seq::text FROM messages m WHERE m.account_id = $1 AND ($2::bigint IS NULL OR m.seq < $2)
     ORDER BY m.seq DESC OFFSET ${searchedAtOnce - 1} LIMIT 1`,
    [accountId, before],
  );
  return rows[0]?.seq ?? null;
}

const leastDigits = 4;
const leastCharacters = 3;
const mostBroadcasts = 1_000;

const onlyNumber = /^\+?[\d\s().-]+$/;

export type SearchParts = {
  /** Digits of a number. Null: the text is no number, or too short. */
  readonly digits: string | null;
  /** A part of a client_ref or of a broadcast's name, in small letters. Null: the text is too short. */
  readonly part: string | null;
};

/** Zeros at the start stand for a country code or come before one, so the search looks for the digits after it. */
export function searchParts(text: string): SearchParts {
  const typed = onlyNumber.test(text) ? text.replace(/\D/g, '') : '';
  return {
    digits: typed.length >= leastDigits ? typed.replace(/^0+/, '') : null,
    part: text.length >= leastCharacters ? text.toLowerCase() : null,
  };
}

/** SQL over `messages m`. The arguments name parameters. `shown` are the whole matches, which the first page has. */
export const searchFits = (shown: string, digits: string, part: string, account: string): string => `
  m.id <> ALL (${shown}::text[])
  AND (strpos(m.recipient, ${digits}::text) > 0 OR strpos(lower(m.client_ref), ${part}::text) > 0
       OR m.broadcast_id = ANY (ARRAY(SELECT b.id FROM (SELECT id, name FROM broadcasts WHERE account_id = ${account}
            ORDER BY id DESC LIMIT ${mostBroadcasts}) b WHERE strpos(lower(b.name), ${part}) > 0)))`;

/** The newest messages whose id or client_ref is this text. */
export async function findWhole(
  { lists }: Database,
  accountId: AccountId,
  whole: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await lists.query<{ id: string }>(
    `SELECT id FROM messages WHERE account_id = $1 AND id = $2 UNION ALL
     (SELECT id FROM messages WHERE account_id = $1 AND client_ref = $2 ORDER BY created_at DESC LIMIT $3)`,
    [accountId, whole, limit],
  );
  return rows.map(({ id }) => id);
}
