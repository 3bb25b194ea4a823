/**
 * The dashboard's live pages. The log of events in Postgres is the truth, and Redis only signals that it has grown. A
 * process keeps nothing but its position in the log, so all api processes show the same.
 */
import { type Database, readEndOfLog } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { onLiveSignal, type QueueConnection } from '@kurir/queue';
import type { LivePages } from '../operations/live-pages.js';
import { catchUp } from './catch-up.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { createOpenShares } from './open-shares.js';
import { createLogReader } from './log-reader.js';
import { createReadLoop } from './read-loop.js';
import { createNews } from './news.js';
import { createWatchers } from './watchers.js';

const accountMaxStreams = 50;
/** One person must not use the streams of all others. */
const personMaxStreams = 10;
/** Each is a connection that stays open, and a query now and then. */
const accountMaxReaders = 50;
const tooMany = 'Too many pages are open. Close some of them.';

const shownToAgents: ReadonlySet<string> = new Set(['conversation', 'notices', 'resync']);

/** An agent sees conversations only. A message shows an agent no more than that there is one. */
const forAgent = (stream: EventStream): EventStream => ({
  ...stream,
  send(id, event) {
    if (event.event === 'message') stream.send(id, { event: 'messages', data: {} });
    else if (shownToAgents.has(event.event)) stream.send(id, event);
  },
});

export function createLive(options: {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly logger: Logger;
  /** Unix milliseconds. Sessions are too old according to this clock. */
  readonly now: () => number;
}): LivePages {
  const { database, queue, logger } = options;
  const watchers = createWatchers(database, options.now);
  const news = createNews();
  const closing = new AbortController();
  const reader = createLogReader(database, watchers, news);
  const isIdle = () => watchers.isEmpty && news.accountIds.length === 0;
  const loop = createReadLoop({ isIdle, read: () => reader.readOn(), logger });
  const accounts = createOpenShares(accountMaxStreams, tooMany);
  const people = createOpenShares(personMaxStreams, tooMany);
  const readers = createOpenShares(accountMaxReaders, 'Too many readers of the feed are connected. End some of them.');
  let isSubscribing = false;

  async function subscribeOnce(): Promise<void> {
    if (isSubscribing) return;
    isSubscribing = true;
    try {
      await onLiveSignal(queue, () => loop.signal());
    } catch (err) {
      isSubscribing = false;
      logger.warn({ err }, 'the live signal is not received');
    }
  }

  return {
    async stream({ who, userId, lastEventId, streamed }) {
      const { accountId } = who;
      const left = [people.enter(userId)];
      try {
        left.push(accounts.enter(accountId));
        void subscribeOnce();
        const end = await readEndOfLog(database);
        reader.beginAt(end);
        const opened = openEventStream(streamed);
        const stream = who.role === 'agent' ? forAgent(opened) : opened;
        // Added before it catches up, so that nothing is missed. An event that the page gets twice changes nothing.
        watchers.add(stream, who);
        if (lastEventId !== null) await catchUp(database, stream, { accountId, lastEventId, end });
        loop.wake();
        await stream.closed;
      } finally {
        for (const leave of left) leave();
      }
    },
    async news(accountId, ms, signal) {
      void subscribeOnce();
      const woken = news.wait(accountId, ms, AbortSignal.any([signal, closing.signal]));
      if (!reader.hasBegun) reader.beginAt(await readEndOfLog(database));
      loop.wake();
      await woken;
    },
    enter: readers.enter,
    closing: closing.signal,
    close() {
      closing.abort();
      loop.stop();
      watchers.endAll();
    },
  };
}
