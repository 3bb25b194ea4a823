/** Sends a span of the log to a webhook once more, while new events go out as usual. */
import type { ReplayId } from '@kurir/contracts';
import type { Database, EventPosition, LoggedEvent } from '@kurir/database';
import { moveReplay, type WebhookLease, type WebhookPage, type WebhookReplay } from '@kurir/database/webhooks';
import type { EventSource } from './event-source.js';
import type { QueuedEvent } from './queued-event.js';
import type { RenderedEvents } from './render-events.js';

/** The log is not quite in the order of time: a transaction has its time from its start. */
const marginMs = 15_000;
const writeEveryMs = 1_000;

export type Replay = {
  readonly id: ReplayId;
  readonly source: EventSource;
  /** The whole span was read. */
  readonly isRead: boolean;
  wants(event: LoggedEvent): boolean;
  take(page: WebhookPage, rendered: RenderedEvents): QueuedEvent[];
  /** Stores its progress, if it is time or `now` is true. Returns whether the replay has ended. */
  persist(now: boolean): Promise<boolean>;
};

export type ReplayedWebhook = {
  /** Whether the webhook gets the event if it has these types. Empty: its own ones. */
  readonly matches: (types: readonly string[], event: LoggedEvent) => boolean;
  readonly sourceAt: (position: EventPosition, isWanted: (event: LoggedEvent) => boolean) => EventSource;
};

export function createReplay(
  database: Database,
  lease: WebhookLease,
  { id, types, since, until, position }: WebhookReplay,
  { matches, sourceAt }: ReplayedWebhook,
): Replay {
  // A ping is a test of its moment.
  const wants = (event: LoggedEvent) =>
    event.at >= since && event.at < until && event.kind !== 'webhook.ping' && matches(types, event);
  const source = sourceAt(position, wants);
  let isRead = false;
  let readEvents = 0;
  let writtenAt = performance.now();

  return {
    id,
    source,
    get isRead() {
      return isRead;
    },
    wants,
    take(page, rendered) {
      readEvents += page.events.filter(wants).length;
      const last = page.events.at(-1);
      isRead = !page.hasMore || (last !== undefined && last.at.getTime() > until.getTime() + marginMs);
      return source.take(page, rendered);
    },
    async persist(now) {
      const hasEnded = isRead && source.low === source.readTo;
      if (!now && !hasEnded && performance.now() - writtenAt < writeEveryMs) return false;
      const counted = readEvents;
      await moveReplay(database, lease, id, source.low, { readEvents: counted, hasEnded });
      readEvents -= counted;
      writtenAt = performance.now();
      return hasEnded;
    },
  };
}
