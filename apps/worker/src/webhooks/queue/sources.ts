/** The ways through the log for one webhook: its own cursor, and a replay if there is one. */
import type { Database, EventPosition, LoggedEvent } from '@kurir/database';
import type {
  ReadWebhook,
  WebhookLease,
  WebhookPage,
  WebhookPageRequest,
  WebhookReplay,
} from '@kurir/database/webhooks';
import { EventSource } from './event-source.js';
import { matches } from './matches.js';
import type { QueuedEvent } from './queued-event.js';
import type { RenderedEvents } from './render-events.js';
import { createReplay, type Replay } from './replay.js';

export type SourcesOptions = {
  readonly database: Database;
  readonly lease: WebhookLease;
  readonly webhook: ReadWebhook;
  /** Whether an event of the subject waits for another try. */
  readonly isWaiting: (subjectId: string) => boolean;
  /** Older events are passed over. */
  readonly keptMs: number;
};

export class Sources {
  readonly main: EventSource;
  readonly #database: Database;
  readonly #lease: WebhookLease;
  readonly #webhook: ReadWebhook;
  readonly #isWaiting: (subjectId: string) => boolean;
  readonly #keptMs: number;
  #replay: Replay | null = null;

  constructor({ database, lease, webhook, isWaiting, keptMs }: SourcesOptions) {
    this.#database = database;
    this.#lease = lease;
    this.#webhook = webhook;
    this.#isWaiting = isWaiting;
    this.#keptMs = keptMs;
    this.main = this.#sourceAt(webhook.position, (event) => this.#matches(webhook, event));
  }

  #matches(webhook: ReadWebhook, event: LoggedEvent): boolean {
    return matches(webhook, event, Date.now() - this.#keptMs);
  }

  #sourceAt(position: EventPosition, isWanted: (event: LoggedEvent) => boolean): EventSource {
    const ordered = this.#webhook.mode === 'ordered';
    const isBlocked = (subjectId: string) => ordered && this.#isWaiting(subjectId);
    return new EventSource({ position, ordered, isWanted, isBlocked });
  }

  /** Returns whether it began. One replay runs at a time. */
  startReplay(replay: WebhookReplay): boolean {
    if (this.#replay !== null) return false;
    this.#replay = createReplay(this.#database, this.#lease, replay, {
      matches: (types, event) => this.#matches(types.length === 0 ? this.#webhook : { ...this.#webhook, types }, event),
      sourceAt: (...args) => this.#sourceAt(...args),
    });
    return true;
  }

  /** The pages that the sources want now. */
  pageRequests(): WebhookPageRequest[] {
    const { id: webhookId, accountId, mode } = this.#webhook;
    const sources: (readonly [string, EventSource])[] = [[webhookId, this.main]];
    if (this.#replay !== null && !this.#replay.isRead) sources.push([this.#replay.id, this.#replay.source]);
    return sources
      .filter(([, source]) => source.wantsMore)
      .map(([key, source]) => ({ key, webhookId, accountId, after: source.readTo, ordered: mode === 'ordered' }));
  }

  wants(key: string, event: LoggedEvent): boolean {
    return key === this.#replay?.id ? this.#replay.wants(event) : this.#matches(this.#webhook, event);
  }

  /** Takes the page with this key. Returns the events that must be stored as waiting. */
  take(key: string, page: WebhookPage, rendered: RenderedEvents): QueuedEvent[] {
    if (key === this.#replay?.id) return this.#replay.take(page, rendered);
    return key === this.#webhook.id ? this.main.take(page, rendered) : [];
  }

  next(): QueuedEvent | null {
    return this.main.next() ?? this.#replay?.source.next() ?? null;
  }

  /** Stores the progress of the replay, if it is time or `now` is true. */
  async persistReplay(now = false): Promise<void> {
    if (this.#replay !== null && (await this.#replay.persist(now))) this.#replay = null;
  }
}
