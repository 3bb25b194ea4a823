/**
 * The dashboard's live pages. Redis is the bell, Postgres the truth: on every ring, and every second anyway, what
 * changed in the accounts that somebody looks at is read once and told to everybody who looks. Any api process shows
 * the same, because none of them keeps anything but how far it has read.
 */
import { type AccountId, ApiError } from '@kurir/contracts';
import type { LiveEvent } from '@kurir/contracts/dashboard';
import {
  type Database,
  type LivePosition,
  readChangedMessages,
  readLivePosition,
  type StandingWatcher,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { hearLiveBell, type QueueConnection } from '@kurir/queue';
import type { Response } from 'express';
import { showJob } from '../handlers/show-job.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { before, idOf, positionOf } from './live-position.js';
import { createPrintWatch } from './print-watch.js';
import { createToldMarks } from './told-marks.js';
import { createWatchers } from './watchers.js';

const everyMs = 1_000;
/** Between two readings, however often it rings. */
const pauseMs = 200;
/** How late a transaction may become visible: looked back at each reading, and now and then much further. */
const lookBackMs = 3_000;
const lookFarBackMs = 30_000;
const farEvery = 10;
/** More changes at once than a page would show. */
const mostAtOnce = 500;
/** Of all accounts together, in one reading. */
const mostRead = 5_000;
/** A browser that was away for longer reads its page anew. */
const longestAwayMs = 10 * 60_000;
const mostStreamsPerAccount = 50;

export type Live = {
  /** Resolves when the stream is over. */
  stream(watcher: {
    readonly who: StandingWatcher;
    readonly lastEventId: string | null;
    readonly res: Response;
  }): Promise<void>;
  /** Ends all streams; browsers come back to another process. */
  close(): void;
};

const resync: LiveEvent = { event: 'resync', data: {} };

export function createLive(given: {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly logger: Logger;
  /** Unix milliseconds, by which sessions end. */
  readonly now: () => number;
}): Live {
  const { database, queue, logger } = given;
  const watchers = createWatchers(database, given.now);
  const told = createToldMarks(lookFarBackMs * 2);
  const prints = createPrintWatch(database);
  let positions: LivePosition[] = [];
  let timer: NodeJS.Timeout | null = null;
  let reading = false;
  let rangWhileReading = false;
  let rounds = 0;
  let heard = false;

  function tell(accountId: AccountId, id: string, event: LiveEvent): void {
    for (const stream of watchers.of(accountId)) stream.tell(id, event);
  }

  /** The newest position that is at least so old, or the oldest that is remembered. */
  function lookBackFrom(now: LivePosition, ms: number): LivePosition {
    const old = positions.findLast(({ at }) => at.getTime() <= now.at.getTime() - ms) ?? positions[0] ?? now;
    return { at: before(now, ms).at, seq: old.seq };
  }

  /** What a browser names when it comes back: a number that was drawn by now may become visible only later. */
  const nameOf = (now: LivePosition) => idOf({ at: now.at, seq: lookBackFrom(now, lookBackMs).seq });

  async function tellMessages(accountIds: readonly AccountId[], now: LivePosition): Promise<void> {
    const since = lookBackFrom(now, rounds % farEvery === 0 ? lookFarBackMs : lookBackMs);
    const changed = await readChangedMessages(database, accountIds, since, mostRead);
    const fresh = changed.filter(({ mark }) => told.isNew(mark));
    // One account's broadcast may have pushed out what concerns another.
    const isCutOff = changed.length >= mostRead;
    for (const accountId of accountIds) {
      const own = fresh.filter((change) => change.accountId === accountId);
      if (isCutOff || own.length > mostAtOnce) tell(accountId, nameOf(now), resync);
      else for (const { message } of own) tell(accountId, nameOf(now), { event: 'message', data: showJob(message) });
    }
  }

  async function readOnce(): Promise<void> {
    await watchers.letGo();
    const { accountIds } = watchers;
    const now = await readLivePosition(database);
    await tellMessages(accountIds, now);
    for (const { accountId, event } of await prints.readChanges(accountIds)) tell(accountId, nameOf(now), event);
    rounds++;
    positions = [...positions.filter(({ at }) => at.getTime() > now.at.getTime() - lookFarBackMs * 2), now];
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
      .catch((err: unknown) => logger.warn({ err }, 'live changes could not be read'))
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
  async function catchUp(stream: EventStream, accountId: AccountId, lastEventId: string | null): Promise<void> {
    if (lastEventId === null) return;
    const now = await readLivePosition(database);
    const last = positionOf(lastEventId);
    if (last === null || last.at.getTime() < now.at.getTime() - longestAwayMs) return stream.tell(nameOf(now), resync);
    const missed = await readChangedMessages(database, [accountId], before(last, lookBackMs), mostAtOnce + 1);
    if (missed.length > mostAtOnce) return stream.tell(nameOf(now), resync);
    for (const { message } of missed) stream.tell(nameOf(now), { event: 'message', data: showJob(message) });
    for (const event of await prints.readAll(accountId)) stream.tell(nameOf(now), event);
  }

  return {
    async stream({ who, lastEventId, res }) {
      const { accountId } = who;
      const open = watchers.of(accountId).length;
      if (open >= mostStreamsPerAccount)
        throw new ApiError('RATE_LIMITED', 'Too many pages are open. Close some of them.', { retryAfterSeconds: 10 });
      void listen().catch((err: unknown) => logger.warn({ err }, 'the live bell is not heard'));
      const first = watchers.isEmpty ? await readLivePosition(database) : null;
      if (first !== null && watchers.isEmpty) positions = [first];
      // Not for a second page: what changed since the last reading is still to be told to the first.
      if (open === 0) await prints.know(accountId);
      const stream = openEventStream(res);
      // Told from here on; what comes twice while it catches up changes nothing.
      watchers.add(stream, who);
      await catchUp(stream, accountId, lastEventId);
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
