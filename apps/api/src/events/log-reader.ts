/**
 * Reads the log of events for all accounts that have an open page or a waiting reader of the feed. It sends what is new to
 * the pages, and wakes the readers. The position moves on only after everything was sent. If a reading fails, the next one
 * sends the same events again.
 */
import type { AccountId } from '@kurir/contracts';
import {
  type Database,
  type EventPosition,
  type LoggedEvent,
  nameOfPosition,
  readEvents,
  readLapsedDevices,
} from '@kurir/database';
import { deviceChanged, type PlacedEvent, resync, showEvents } from './live-events.js';
import type { News } from './news.js';
import type { Watchers } from './watchers.js';

/** The query for lapsed leases may wait this long for a connection. Pages bear it if a device is sent twice. */
const lapsedMarginMs = 5_000;
/** An account with more new events than this gets `resync` instead. No page shows more. */
const accountMaxEvents = 500;
/** The limit of one reading, for all accounts together. */
const readMaxEvents = 5_000;

export type LogReader = {
  readonly hasBegun: boolean;
  /** Begins at `end`, unless somebody watches already. */
  beginAt(end: EventPosition): void;
  /** Sends what is new. Resolves with whether the log has more. */
  readOn(): Promise<boolean>;
};

export function createLogReader(database: Database, watchers: Watchers, news: News): LogReader {
  /** The position up to which all accounts are read. Null until somebody watches. */
  let position: EventPosition | null = null;
  let lapsedReadAt = performance.now();

  const readAccounts = () => [...new Set([...watchers.accountIds, ...news.accountIds])];

  function send(accountId: AccountId, { at, event }: PlacedEvent): void {
    for (const stream of watchers.of(accountId)) stream.send(nameOfPosition(at), event);
  }

  async function sendEvents(accountId: AccountId, events: readonly LoggedEvent[], next: EventPosition): Promise<void> {
    if (events.some(({ sequence }) => sequence !== null)) news.wake(accountId);
    if (watchers.of(accountId).length === 0) return;
    if (events.length > accountMaxEvents) return send(accountId, { at: next, event: resync });
    for (const placed of await showEvents(database, events)) send(accountId, placed);
  }

  /** A lease that ran out since the last reading changes the state that pages show of its device. */
  async function sendLapsed(accountIds: readonly AccountId[], at: EventPosition): Promise<void> {
    const startedAt = performance.now();
    const sinceMs = startedAt - lapsedReadAt + lapsedMarginMs;
    for (const device of await readLapsedDevices(database, accountIds, sinceMs))
      send(device.accountId, { at, event: deviceChanged(device) });
    lapsedReadAt = startedAt;
  }

  async function readFrom(from: EventPosition): Promise<boolean> {
    const accountIds = readAccounts();
    const { events, next, hasMore } = await readEvents(database, accountIds, from, readMaxEvents);
    for (const accountId of new Set(events.map((event) => event.accountId)))
      await sendEvents(
        accountId,
        events.filter((event) => event.accountId === accountId),
        next,
      );
    await sendLapsed(watchers.accountIds, next);
    // The events of an account whose first page was opened during the reading were not read. Read this part again.
    if (readAccounts().every((id) => accountIds.includes(id))) position = next;
    return hasMore;
  }

  return {
    get hasBegun() {
      return position !== null && readAccounts().length > 0;
    },
    beginAt(end) {
      if (readAccounts().length === 0 || position === null) position = end;
    },
    async readOn() {
      await watchers.endUnauthorized();
      return position === null ? false : readFrom(position);
    },
  };
}
