/** Finds single events, and the newest ones of an account. */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { type EventPosition, eventColumns, eventOf, parsePart, type StoredEvent } from './events.js';
import type { FeedEvent, FeedFilter } from './feed.js';

/** The most rows of the log that one page reads. */
const pageMaxRows = 5_000;

const isShown = (event: ReturnType<typeof eventOf>): event is FeedEvent => event.sequence !== null;

/** The form of `idOfEvent`. */
const idPattern = /^evt_(?<subject>[a-z]{3}_[0-9a-z]{1,40})_(?<sequence>\d{1,9})_(?<generation>[0-9a-z]{1,13})$/;

/** Returns null if the id is none, or if the account has no such event since `since`. */
export async function findEvent(
  { pool }: Database,
  accountId: AccountId,
  eventId: string,
  since: Date,
): Promise<FeedEvent | null> {
  const { subject, sequence, generation } = idPattern.exec(eventId)?.groups ?? {};
  const ofGeneration = parsePart(generation ?? '');
  if (subject === undefined || sequence === undefined || ofGeneration === null) return null;
  const { rows } = await pool.query<StoredEvent>({
    name: 'find-event',
    text: `SELECT ${eventColumns} FROM events e
           WHERE e.subject_id = $2 AND e.account_id = $1 AND e.sequence = $3 AND e.generation = $4 AND e.at >= $5`,
    values: [accountId, subject, Number(sequence), ofGeneration, since],
  });
  return rows.map(eventOf).find(isShown) ?? null;
}

export type EventPlace = { readonly position: EventPosition; readonly at: Date };

/** The events at these positions. One that is erased is missing. */
export async function readEventsAt(
  { pool }: Database,
  accountId: AccountId,
  places: readonly EventPlace[],
): Promise<FeedEvent[]> {
  if (places.length === 0) return [];
  const { rows } = await pool.query<StoredEvent>({
    name: 'read-events-at',
    text: `SELECT ${eventColumns}
           FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[]) AS asked (generation, xid, seq, at)
           JOIN events e ON e.account_id = $1 AND e.generation = asked.generation AND e.xid = asked.xid::xid8
             AND e.seq = asked.seq AND e.at = asked.at`,
    values: [
      accountId,
      places.map(({ position }) => position.generation),
      places.map(({ position }) => String(position.xid)),
      places.map(({ position }) => position.seq),
      places.map(({ at }) => at),
    ],
  });
  return rows.map(eventOf).filter(isShown);
}

export type RecentPage = {
  /** Newest first. */
  readonly events: readonly FeedEvent[];
  /** Continue before this position. Null: there are no older events. */
  readonly next: EventPosition | null;
};

/** At most `limit` events before the position, or the newest ones. A page can be empty although there are older events. */
export async function readRecentEvents(
  { lists }: Database,
  accountId: AccountId,
  before: EventPosition,
  filter: FeedFilter & { readonly limit: number; readonly since: Date },
): Promise<RecentPage> {
  const { types, deviceId, limit, since } = filter;
  const isFiltered = types !== null || deviceId !== null;
  const maxRows = isFiltered ? pageMaxRows : limit;
  const { rows } = await lists.query<StoredEvent>(
    `SELECT ${eventColumns} FROM events e
     WHERE e.account_id = $1 AND (e.generation, e.xid, e.seq) < ($2::bigint, $3::xid8, $4::bigint) AND e.at >= $5
       AND e.sequence IS NOT NULL
     ORDER BY e.generation DESC, e.xid DESC, e.seq DESC LIMIT $6`,
    [accountId, before.generation, String(before.xid), before.seq, since, maxRows],
  );
  const read = rows.map(eventOf).filter(isShown);
  const matches = (event: FeedEvent) =>
    (types === null || types.has(event.kind)) && (deviceId === null || event.deviceId === deviceId);
  const matching = read.filter(matches);
  const events = matching.slice(0, limit);
  const last = matching.length > limit ? events.at(-1) : read.length === maxRows ? read.at(-1) : undefined;
  return { events, next: last?.position ?? null };
}
