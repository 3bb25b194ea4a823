/**
 * The dashboard's live pages. Redis is the bell, the log of events the truth: on every ring, and every second anyway, the
 * events of the accounts that somebody looks at are read on and told to everybody who looks. Any api process shows the
 * same, because none of them keeps anything but how far it has read.
 */
import { type AccountId, ApiError, type DeviceId } from '@kurir/contracts';
import type { LiveEvent } from '@kurir/contracts/dashboard';
import {
  type Database,
  type EventPosition,
  isLost,
  type LoggedEvent,
  messagesOf,
  nameOfPosition,
  parsePosition,
  readEndOfLog,
  readEvents,
  readLapsedDevices,
  readMessageViews,
  readShownDevices,
  type ShownDevice,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { hearLiveBell, type QueueConnection } from '@kurir/queue';
import type { LivePages } from '../operations/live-pages.js';
import { showJob } from '../messages/show-job.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { createWatchers } from './watchers.js';

const everyMs = 1_000;
/** Between two readings, however often it rings. */
const pauseMs = 200;
/** The question for lapsed leases may wait for a connection so long. A device that is told twice changes nothing. */
const lapsedMarginMs = 5_000;
/** More events of an account at once than a page would show. */
const mostAtOnce = 500;
/** Of all accounts together, in one reading. */
const mostRead = 5_000;
const mostStreamsPerAccount = 50;

const resync: LiveEvent = { event: 'resync', data: {} };
const accountChanged: LiveEvent = { event: 'account', data: {} };
const deviceChanged = ({ deviceId, state }: ShownDevice): LiveEvent => ({
  event: 'device',
  data: { device_id: deviceId, state },
});

/** What to tell, and after which position of the log it is true. */
type Told = { readonly at: EventPosition; readonly event: LiveEvent };

/** Events of one account as a page shows them: each message and each device once, as it is now. */
async function showEvents(database: Database, events: readonly LoggedEvent[]): Promise<Told[]> {
  const last = events.at(-1);
  if (last === undefined) return [];
  const jobs = messagesOf(events);
  const ofDevices = events.filter(({ kind }) => kind.startsWith('device.'));
  const deviceIds = new Set(ofDevices.map(({ subjectId }) => subjectId as DeviceId));
  const [messages, devices] = await Promise.all([
    readMessageViews(database, [...jobs.keys()]),
    readShownDevices(database, [...deviceIds]),
  ]);
  return [
    ...[...jobs].flatMap(([id, at]): Told[] => {
      const message = messages.get(id);
      return message === undefined ? [] : [{ at, event: { event: 'message', data: showJob(message) } }];
    }),
    ...devices.map((device): Told => ({ at: last.position, event: deviceChanged(device) })),
    ...(events.some(({ kind }) => kind === 'account.changed') ? [{ at: last.position, event: accountChanged }] : []),
  ];
}

export function createLive(given: {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly logger: Logger;
  /** Unix milliseconds, by which sessions end. */
  readonly now: () => number;
}): LivePages {
  const { database, queue, logger } = given;
  const watchers = createWatchers(database, given.now);
  /** How far all accounts are read. Null until somebody looks. */
  let position: EventPosition | null = null;
  let readAt = performance.now();
  let timer: NodeJS.Timeout | null = null;
  let reading = false;
  let rangWhileReading = false;
  let heard = false;

  function tell(accountId: AccountId, { at, event }: Told): void {
    for (const stream of watchers.of(accountId)) stream.tell(nameOfPosition(at), event);
  }

  async function tellEvents(accountId: AccountId, events: readonly LoggedEvent[], next: EventPosition): Promise<void> {
    if (events.length > mostAtOnce) return tell(accountId, { at: next, event: resync });
    for (const told of await showEvents(database, events)) tell(accountId, told);
  }

  /** A lease that ran out since the last reading changes what is shown of its device. */
  async function tellLapsed(accountIds: readonly AccountId[], at: EventPosition, sinceMs: number): Promise<void> {
    for (const device of await readLapsedDevices(database, accountIds, sinceMs))
      tell(device.accountId, { at, event: deviceChanged(device) });
  }

  async function readOn(from: EventPosition): Promise<void> {
    const { accountIds } = watchers;
    const { events, next, hasMore } = await readEvents(database, accountIds, from, mostRead);
    for (const accountId of new Set(events.map((event) => event.accountId)))
      await tellEvents(
        accountId,
        events.filter((event) => event.accountId === accountId),
        next,
      );
    const startedAt = performance.now();
    await tellLapsed(accountIds, next, startedAt - readAt + lapsedMarginMs);
    readAt = startedAt;
    // Not before: if Postgres goes away meanwhile, the same events are told again.
    // Whoever came meanwhile, of another account, has not been told these: they are read again.
    if (watchers.accountIds.every((id) => accountIds.includes(id))) position = next;
    if (hasMore) rangWhileReading = true;
  }

  async function readOnce(): Promise<void> {
    await watchers.letGo();
    if (position !== null) await readOn(position);
  }

  function schedule(ms: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(read, ms);
  }

  function read(): void {
    timer = null;
    if (reading || watchers.isEmpty) return;
    reading = true;
    rangWhileReading = false;
    readOnce()
      .catch((err: unknown) => logger.warn({ err }, 'live events could not be read'))
      .finally(() => {
        reading = false;
        if (!watchers.isEmpty) schedule(rangWhileReading ? pauseMs : everyMs);
      });
  }

  function onRing(): void {
    rangWhileReading = true;
    if (!reading && !watchers.isEmpty) schedule(pauseMs);
  }

  async function listen(): Promise<void> {
    if (heard) return;
    heard = true;
    await hearLiveBell(queue, onRing);
  }

  /** What a browser missed, or that it missed too much. */
  async function catchUp(
    stream: EventStream,
    accountId: AccountId,
    lastEventId: string,
    end: EventPosition,
  ): Promise<void> {
    const tellIt = ({ at, event }: Told) => stream.tell(nameOfPosition(at), event);
    const last = parsePosition(lastEventId);
    if (last === null || (await isLost(database, last))) return tellIt({ at: end, event: resync });
    const missed = await readEvents(database, [accountId], last, mostAtOnce);
    if (missed.hasMore) return tellIt({ at: end, event: resync });
    for (const told of await showEvents(database, missed.events)) tellIt(told);
  }

  return {
    async stream({ who, lastEventId, streamed }) {
      const { accountId } = who;
      if (watchers.of(accountId).length >= mostStreamsPerAccount)
        throw new ApiError('RATE_LIMITED', 'Too many pages are open. Close some of them.', { retryAfterSeconds: 10 });
      void listen().catch((err: unknown) => logger.warn({ err }, 'the live bell is not heard'));
      const end = await readEndOfLog(database);
      if (watchers.isEmpty || position === null) position = end;
      const stream = openEventStream(streamed);
      // Told from here on; what comes twice while it catches up changes nothing.
      watchers.add(stream, who);
      if (lastEventId !== null) await catchUp(stream, accountId, lastEventId, end);
      if (!reading && timer === null) schedule(pauseMs);
      await stream.over;
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      watchers.endAll();
    },
  };
}
