/**
 * Pages of one account's events for its programs. A page reads a bounded part of the log, so a filter that matches little
 * gives short pages and not slow ones.
 */
import {
  type AccountId,
  type DeviceId,
  type MessageId,
  type MessagePriority,
  messagePriorities,
  type RenewalId,
} from '@kurir/contracts';
import { erasedRecipient } from '../messages/new-message.js';
import type { Database } from '../postgres/connect.js';
import { type EventPage, type EventPosition, type LoggedEvent, readEvents } from './events.js';

/** The most rows of the log that one page reads. */
const pageMaxRows = 5_000;

export type FeedFilter = {
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly deviceId: DeviceId | null;
  /** Null: all devices, and what concerns no device. */
  readonly deviceIds?: readonly string[] | null;
};

/** An event of the feed. Changes that only live pages show have no sequence. */
export type FeedEvent = LoggedEvent & { readonly sequence: number };

export type FeedPage = Omit<EventPage, 'events'> & {
  readonly events: readonly FeedEvent[];
  /** The time of the last event that was read, if the log has more. Null: the page reaches the end of the log. */
  readonly readUntil: Date | null;
};

function isInFeed(event: LoggedEvent, { types, deviceId, deviceIds = null }: FeedFilter): event is FeedEvent {
  if (event.sequence === null) return false;
  if (deviceId !== null && event.deviceId !== deviceId) return false;
  if (deviceIds !== null && (event.deviceId === null || !deviceIds.includes(event.deviceId))) return false;
  return types === null || types.has(event.kind);
}

/** At most `limit` events after the position. The page can be empty although `hasMore` is true. */
export async function readFeed(
  database: Database,
  accountId: AccountId,
  after: EventPosition,
  { limit, ...filter }: FeedFilter & { readonly limit: number },
): Promise<FeedPage> {
  const isFiltered = filter.types !== null || filter.deviceId !== null || (filter.deviceIds ?? null) !== null;
  const page = await readEvents(database, [accountId], after, isFiltered ? pageMaxRows : limit);
  const matching = page.events.filter((event) => isInFeed(event, filter));
  const events = matching.slice(0, limit);
  const last = events.at(-1);
  const isCut = matching.length > limit;
  if (isCut && last !== undefined) return { ...page, events, next: last.position, hasMore: true, readUntil: last.at };
  return { ...page, events, readUntil: page.hasMore ? (page.events.at(-1)?.at ?? null) : null };
}

/** The position before the account's first event since `since`. Null: there is none. */
export async function oldestInFeed(
  { pool }: Database,
  accountId: AccountId,
  since: Date,
): Promise<EventPosition | null> {
  const { rows } = await pool.query<{ generation: bigint; xid: string; seq: bigint }>({
    name: 'oldest-event',
    text: `SELECT e.generation, e.xid::text AS xid, e.seq FROM events e WHERE e.account_id = $1 AND e.at >= $2
           ORDER BY e.generation, e.xid, e.seq LIMIT 1`,
    values: [accountId, since],
  });
  const [row] = rows;
  return row === undefined ? null : { generation: row.generation, xid: BigInt(row.xid), seq: row.seq - 1n };
}

/** The fields of a message that its events show. They never change, but they may be erased. */
export type MessageFacts = {
  readonly id: MessageId;
  /** Null: it is erased. */
  readonly recipient: string | null;
  readonly priority: MessagePriority;
  readonly clientRef: string | null;
  readonly networkMessageId: string;
  /** The span that accepted it. Null: it is not traced. Programs do not see it. */
  readonly traceparent: string | null;
};

/** The fields of a renewal that its events show. They never change. */
export type RenewalFacts = { readonly id: RenewalId; readonly plan: string; readonly price: number };

export async function readRenewalFacts(
  { pool }: Database,
  ids: readonly RenewalId[],
): Promise<ReadonlyMap<RenewalId, RenewalFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<RenewalFacts>({
    name: 'renewal-facts',
    text: 'SELECT id, plan_name AS plan, price_rupiah AS price FROM renewals WHERE id = ANY ($1::text[])',
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export async function readMessageFacts(
  { pool }: Database,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, MessageFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<Omit<MessageFacts, 'priority'> & { priority: number }>({
    name: 'message-facts',
    text: `SELECT id, NULLIF(recipient, '${erasedRecipient}') AS recipient, priority, client_ref AS "clientRef", network_message_id AS "networkMessageId",
                  traceparent
           FROM messages WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, { ...row, priority: messagePriorities[row.priority] ?? 'normal' }]));
}
