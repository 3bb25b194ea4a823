/**
 * Lists the messages of an account. A filter that no index knows looks through a bounded number of messages. Then a page
 * may be short or empty although older messages follow.
 */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../../postgres/connect.js';
import {
  type MessageFilter,
  type MessageRow,
  type MessageView,
  messageColumns,
  rankOf,
  shownStatus,
  viewsOf,
} from '../read-messages.js';
import { findWhole, searchFits, searchParts, searchStart } from './search.js';

type Page = { messages: MessageView[]; nextCursor: string | null };

/**
 * Narrows to these ids, or to messages that were accepted since the one with this number. `except`: searches for parts, and
 * leaves out these ids.
 */
type Bounds = {
  readonly ids: readonly string[] | null;
  readonly from: string | null;
  readonly except: readonly string[] | null;
};

const unbounded: Bounds = { ids: null, from: null, except: null };

/** The messages that fit, newest first. */
async function readRows(
  { lists }: Database,
  accountId: AccountId,
  filter: MessageFilter,
  { ids, from, except }: Bounds,
): Promise<MessageRow[]> {
  const searched = searchParts(filter.search ?? '');
  const { rows } = await lists.query<MessageRow>(
    `SELECT ${messageColumns} FROM messages m
     WHERE m.account_id = $1 AND ($2::text IS NULL OR ${shownStatus} = $2) AND ($3::text IS NULL OR m.device_id = $3)
       AND ($4::text IS NULL OR m.recipient = $4) AND ($5::text IS NULL OR m.client_ref = $5)
       AND ($6::bigint IS NULL OR m.seq < $6) AND ($8::bigint IS NULL OR m.seq >= $8)
       AND ($9::timestamptz IS NULL OR m.created_at >= $9) AND ($10::timestamptz IS NULL OR m.created_at < $10)
       AND ($11::text[] IS NULL OR m.id = ANY ($11)) AND ($12::smallint IS NULL OR m.priority = $12)
       AND ($14::text IS NULL OR m.broadcast_id = $14)
       AND ($13::timestamptz IS NULL OR m.id IN (
         SELECT e.subject_id FROM events e WHERE e.account_id = $1 AND e.at >= $13 AND e.kind LIKE 'message.%'))
       AND ($15::text IS NULL OR m.key_id = $15) AND ($16::text IS NULL OR m.reason = $16)
       AND ($17::text[] IS NULL OR m.id = ANY ($17))
       AND ($18::text[] IS NULL OR (${searchFits('$18', '$19', '$20', '$1')}))
       AND ($21::text[] IS NULL OR m.device_id = ANY ($21))
     ORDER BY m.seq DESC LIMIT $7`,
    [
      accountId,
      filter.status,
      filter.deviceId,
      filter.recipient,
      filter.clientRef,
      filter.cursor,
      filter.limit,
      from,
      filter.since ?? null,
      filter.until ?? null,
      filter.jobIds ?? null,
      rankOf(filter.priority),
      filter.updatedSince ?? null,
      filter.broadcastId ?? null,
      filter.apiKey ?? null,
      filter.reason ?? null,
      ids,
      except,
      searched.digits,
      searched.part,
      filter.deviceIds ?? null,
    ],
  );
  return rows;
}

/** Greater than each sequence number. */
const newest = '9'.repeat(18);

/** Looks through a bounded number of messages. The cursor goes on after the last of them, if older ones follow. */
async function readBounded(database: Database, accountId: AccountId, filter: MessageFilter): Promise<Page> {
  const { search = null, cursor, limit } = filter;
  const from = await searchStart(database, accountId, cursor);
  const ids = search === null ? [] : await findWhole(database, accountId, search, limit);
  const read = (bounds: Bounds, most: number) => readRows(database, accountId, { ...filter, limit: most }, bounds);
  // Only the first page has them.
  const whole = ids.length === 0 || cursor !== null ? [] : await read({ ...unbounded, ids }, limit);
  const room = limit - whole.length;
  const found = await read({ ids: null, from, except: search === null ? null : ids }, room + 1);
  const shown = [...whole, ...found.slice(0, room)].toSorted((a, b) => (a.seq < b.seq ? 1 : -1));
  const last = room === 0 ? newest : String(found[room - 1]?.seq);
  return { messages: await viewsOf(database, shown), nextCursor: found.length > room ? last : from };
}

/** A page of the account's messages, newest first. `nextCursor` is null at the end. */
export async function listMessages(database: Database, accountId: AccountId, filter: MessageFilter): Promise<Page> {
  const isBounded =
    (filter.deviceIds ?? null) !== null ||
    [filter.search, filter.apiKey, filter.reason].some((value) => typeof value === 'string');
  if (isBounded) return readBounded(database, accountId, filter);
  const rows = await readRows(database, accountId, { ...filter, limit: filter.limit + 1 }, unbounded);
  const messages = await viewsOf(database, rows.slice(0, filter.limit));
  const last = messages.at(-1);
  return { messages, nextCursor: rows.length > filter.limit && last !== undefined ? String(last.seq) : null };
}
