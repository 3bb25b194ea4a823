/**
 * Sends the events of one webhook, as long as this worker has its lease. The log and the cursor are in Postgres, so
 * another worker can go on at any moment. It sends at most the events in flight again, under their ids.
 *
 * An event is done when the webhook took it, or when Postgres has a row for its next try. Only then the cursor passes it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostAnswer } from '@kurir/address-guard';
import type { Database, LoggedEvent } from '@kurir/database';
import {
  type DueRetry,
  disableWebhook,
  endRetry,
  holdEvents,
  noteAttempt,
  noteFailure,
  noteProbe,
  noteRecovery,
  type ReadWebhook,
  type RetryRequest,
  tellFailing,
  type WebhookLease,
  type WebhookPage,
  type WebhookPageRequest,
  type WebhookReplay,
} from '@kurir/database/webhooks';
import type { Logger } from '@kurir/logging';
import { CursorWriter } from './cursor-writer.js';
import { isSequenced } from './queue/matches.js';
import { attemptOf } from './queue/attempt-of.js';
import type { QueuedEvent } from './queue/queued-event.js';
import type { RenderedEvents } from './queue/render-events.js';
import { Sources } from './queue/sources.js';
import { createPace, type Pace } from './pace.js';
import { judgeFailing, parseRetryAfter, waitAfterTry } from './schedule.js';
import { createWaitingSubjects, type WaitingSubjects } from './waiting-subjects.js';
import { createWebhookHealth, type WebhookHealth } from './webhook-health.js';
import { isTaken, type WebhookSender } from './webhook-sender.js';
import { untilStored } from './until-stored.js';

/** With so many events waiting for another try, the reader reads no further. They stay in the log. */
const mostWaiting = 10_000;
/** While all is well, one success is recorded in this time. */
const sampleEveryMs = 10_000;
const mostRetries = 32;
/** A webhook that is handed over waits so long for its answers. Events without one are sent again. */
const closingMs = 2_000;

export type ReaderParts = {
  readonly database: Database;
  readonly lease: WebhookLease;
  readonly webhook: ReadWebhook;
  readonly sender: WebhookSender;
  readonly log: Logger;
  /** Called when the reader wants the next page, or when its webhook was disabled. */
  readonly onHungry: () => void;
  /** Older events are passed over. */
  readonly keptMs: number;
  /** The wait before the first probe. By default that of the schedule. */
  readonly firstProbeMs?: number | undefined;
};

export class WebhookReader {
  readonly lease: WebhookLease;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #onHungry: () => void;
  readonly #webhook: ReadWebhook;
  readonly #sender: WebhookSender;
  readonly #health: WebhookHealth;
  readonly #waiting: WaitingSubjects;
  readonly #sources: Sources;
  readonly #cursor: CursorWriter;
  readonly #pace: Pace;
  /** Events with a row that are to be sent now, or in flight, by their ids. */
  readonly #retries = new Map<string, QueuedEvent>();
  readonly #retryQueue: QueuedEvent[] = [];
  #inFlight = 0;
  /** The results that are not stored yet. */
  readonly #unstored = new Set<Promise<void>>();
  /** Resolves when the rows of all events that wait are stored. They are stored in order. */
  #held = Promise.resolve();
  #hasEnded = false;
  /** Nothing new begins. The results of events in flight are still stored. */
  #isClosing = false;
  #sampledAt = Number.NEGATIVE_INFINITY;

  constructor({ database, lease, webhook, sender, log, onHungry, keptMs, firstProbeMs }: ReaderParts) {
    this.lease = lease;
    this.#database = database;
    this.#log = log;
    this.#onHungry = onHungry;
    this.#webhook = webhook;
    this.#sender = sender;
    this.#health = createWebhookHealth({ ...webhook, firstWaitMs: firstProbeMs });
    this.#waiting = createWaitingSubjects(webhook.waiting);
    this.#sources = new Sources(database, webhook, (subjectId) => this.#waiting.has(subjectId), keptMs);
    this.#cursor = new CursorWriter(database, lease, this.#sources.main, () => this.end());
    this.#pace = createPace(webhook.maxPerSecond, () => this.pump());
  }

  get version(): number {
    return this.#webhook.version;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Begins a replay, or goes on with it. */
  startReplay(replay: WebhookReplay): void {
    if (!this.#isClosing && this.#sources.startReplay(replay)) this.#onHungry();
  }

  /** The pages that the reader wants now. */
  pageRequests(): WebhookPageRequest[] {
    return this.#isClosing || this.#waiting.total >= mostWaiting ? [] : this.#sources.pageRequests();
  }

  /** Whether an event of the page with this key concerns the webhook, so that it is worth rendering. */
  wants(key: string, event: LoggedEvent): boolean {
    return this.#sources.wants(key, event);
  }

  /** Takes the page that it asked for under this key. */
  take(key: string, page: WebhookPage, rendered: RenderedEvents): void {
    if (this.#isClosing) return;
    this.#hold(this.#sources.take(key, page, rendered), [...this.#unstored]);
    this.pump();
  }

  retryRequest(): RetryRequest | null {
    const limit = this.#health.isProbed ? this.#health.window() : mostRetries - this.#retries.size;
    if (this.#isClosing || limit <= 0) return null;
    const { id: webhookId, mode } = this.#webhook;
    return { webhookId, ordered: mode === 'ordered', isProbe: this.#health.isProbed, limit };
  }

  takeRetry(due: DueRetry, rendered: RenderedEvents): void {
    const { event } = due;
    const shown = event === null ? null : rendered.get(event);
    if (event === null || shown === null || !isSequenced(event)) {
      endRetry(this.#database, this.lease, due.position).catch((err: unknown) => this.#warn(err));
      this.#waiting.remove(due.subjectId);
      return;
    }
    if (this.#isClosing || this.#retries.has(shown.id)) return;
    const forget = () => void this.#retries.delete(shown.id);
    const queued = {
      event,
      ...shown,
      tries: due.tries,
      isRetry: true,
      laterPredecessors: [],
      settle: forget,
      putBack: forget,
      removeLine: () => [],
    };
    this.#retries.set(shown.id, queued);
    this.#retryQueue.push(queued);
    this.pump();
  }

  /** Starts as many events as the health and the pace of the webhook allow. */
  pump(): void {
    while (!this.#isClosing && this.#inFlight < this.#health.window()) {
      if (!this.#pace.mayStart()) return;
      const queued = this.#retryQueue.shift() ?? this.#sources.next();
      if (queued === null) return;
      this.#pace.started();
      void this.#run(queued);
    }
  }

  async #run(queued: QueuedEvent): Promise<void> {
    this.#inFlight++;
    const isProbe = this.#health.isProbed;
    try {
      const answer = await this.#sender.send(queued);
      // At once, so that events of the subject that are read meanwhile wait behind this one.
      if (!isTaken(answer) && !isProbe && !queued.isRetry) this.#waiting.add(queued.event.subjectId);
      const stored = this.#untilStored(() => this.#store(queued, answer, isProbe));
      this.#unstored.add(stored);
      await stored;
      this.#unstored.delete(stored);
    } finally {
      this.#inFlight--;
    }
    this.pump();
    if (this.#sources.main.wantsMore) this.#onHungry();
  }

  async #store(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): Promise<void> {
    if (isTaken(answer)) return this.#taken(queued, answer, isProbe);
    return isProbe ? this.#probeFailed(queued, answer) : this.#failed(queued, answer);
  }

  async #taken(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): Promise<void> {
    if (queued.isRetry) await endRetry(this.#database, this.lease, queued.event.position);
    // Also an event that was in flight when probing began.
    if (this.#health.isProbed) await noteRecovery(this.#database, this.lease);
    this.#health.succeeded();
    this.#cursor.succeeded();
    if (queued.isRetry) this.#waiting.remove(queued.event.subjectId);
    queued.settle();
    const isSample = performance.now() - this.#sampledAt >= sampleEveryMs;
    if (!isSample && !queued.isRetry && queued.event.kind !== 'webhook.ping') return;
    this.#sampledAt = performance.now();
    const attempt = attemptOf(queued, answer, isProbe);
    noteAttempt(this.#database, this.lease, attempt, 'delivered').catch((err: unknown) => this.#warn(err));
  }

  async #probeFailed(queued: QueuedEvent, answer: PostAnswer): Promise<void> {
    const waitMs = this.#health.probeLater();
    const failingMs = await noteProbe(this.#database, this.lease, this.#health.probes, waitMs);
    await noteAttempt(this.#database, this.lease, attemptOf(queued, answer, true), 'probed');
    queued.putBack();
    await this.#afterFailure(failingMs, answer);
  }

  async #failed(queued: QueuedEvent, answer: PostAnswer): Promise<void> {
    const { subjectId } = queued.event;
    const retryAfterMs = parseRetryAfter(answer.retryAfter, Date.now());
    const retryMs = waitAfterTry(queued.tries + 1, retryAfterMs, Math.random());
    const failingMs = await noteFailure(this.#database, this.lease, attemptOf(queued, answer, false), retryMs);
    if (queued.isRetry && retryMs === null) this.#waiting.remove(subjectId);
    this.#hold(queued.removeLine());
    queued.settle();
    if (this.#health.failed()) {
      const waitMs = this.#health.probeLater();
      await noteProbe(this.#database, this.lease, this.#health.probes, waitMs);
    }
    await this.#afterFailure(failingMs, answer);
  }

  async #afterFailure(failingMs: number | null, { status }: PostAnswer): Promise<void> {
    if (failingMs === null) return this.end();
    const verdict = judgeFailing(failingMs, status);
    if (verdict.disabled !== null) return this.#disable(verdict.disabled);
    if (verdict.toldHours > 0) await tellFailing(this.#database, this.lease, verdict.toldHours);
  }

  async #disable(reason: 'gone' | 'failing'): Promise<void> {
    this.end();
    await this.#cursor.write();
    await disableWebhook(this.#database, this.lease, reason);
    this.#log.warn({ webhookId: this.#webhook.id, reason }, 'webhook disabled');
  }

  /** Stores that these events wait for an earlier one, after `first` is stored: the row of the earlier one. */
  #hold(held: readonly QueuedEvent[], first: readonly Promise<void>[] = []): void {
    if (held.length === 0) return;
    for (const { event } of held) this.#waiting.add(event.subjectId);
    const events = held.map(({ event }) => event);
    const before = [this.#held, ...first];
    const store = async () => {
      await Promise.all(before);
      if (!(await holdEvents(this.#database, this.lease, events))) return this.end();
      for (const queued of held) queued.settle();
    };
    this.#held = this.#untilStored(store);
  }

  /** Stores the cursors if it is time. */
  async persist(): Promise<void> {
    await this.#sources.persistReplay();
    await this.#cursor.writeIfDue();
  }

  /** Begins nothing new, and stores no results any more. */
  end(): void {
    [this.#hasEnded, this.#isClosing] = [true, true];
    this.#pace.stop();
  }

  /** Waits a short time for the events in flight, and stores the cursor for the next owner. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const until = performance.now() + closingMs;
    while (this.#inFlight > 0 && !this.#hasEnded && performance.now() < until) await sleep(10);
    if (!this.#hasEnded) await this.#cursor.write().catch((err: unknown) => this.#warn(err));
    this.end();
    this.#sender.close();
  }

  #untilStored(store: () => Promise<void>): Promise<void> {
    return untilStored(
      store,
      () => this.#hasEnded,
      (err) => this.#warn(err),
    );
  }

  #warn(err: unknown): void {
    this.#log.warn({ err, webhookId: this.#webhook.id }, 'progress of a webhook not stored, will be tried again');
  }
}
