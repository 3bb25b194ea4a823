/**
 * Sends the events of one webhook, as long as this worker has its lease. The log and the cursor are in Postgres, so
 * another worker can go on at any moment. After a takeover, events since the stored cursor are sent again with the same
 * ids.
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
import { AttemptLog } from './attempt-log.js';
import { CursorWriter } from './cursor-writer.js';
import { HeldEvents } from './held-events.js';
import { isSequenced } from './queue/matches.js';
import { attemptOf } from './queue/attempt-of.js';
import type { QueuedEvent } from './queue/queued-event.js';
import type { RenderedEvents } from './queue/render-events.js';
import { Retries } from './queue/retries.js';
import { Sources } from './queue/sources.js';
import { createPace, type Pace } from './pace.js';
import { judgeFailing, parseRetryAfter, waitAfterTry } from './schedule.js';
import { createWebhookHealth, type NextProbe, type WebhookHealth } from './webhook-health.js';
import { isTaken, type WebhookSender } from './webhook-sender.js';
import type { ReaderParts } from './reader-parts.js';
import { ProgressStore } from './progress-store.js';

/** With so many events waiting for another try, the reader reads no further. They stay in the log. */
const mostWaiting = 10_000;
/** A webhook that is handed over waits so long for its answers. Events without one are sent again. */
const closingMs = 2_000;

export class WebhookReader {
  readonly lease: WebhookLease;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #onHungry: () => void;
  readonly #onRetryFree: () => void;
  readonly #webhook: ReadWebhook;
  readonly #sender: WebhookSender;
  readonly #health: WebhookHealth;
  readonly #retries: Retries;
  readonly #sources: Sources;
  readonly #cursor: CursorWriter;
  readonly #pace: Pace;
  readonly #attempts: AttemptLog;
  readonly #progress: ProgressStore;
  readonly #held: HeldEvents;
  #inFlight = 0;
  /** The results that are not stored yet. */
  readonly #unstored = new Set<Promise<void>>();
  /** Resolves when the next probe is stored. A recovery is stored after it. */
  #probeStored: Promise<number | undefined> = Promise.resolve(undefined);
  /** `closing`: nothing new begins, but results are still stored. `ended`: they are not. */
  #state: 'open' | 'closing' | 'ended' = 'open';

  constructor(parts: ReaderParts) {
    const { database, lease, webhook, sender, log, onHungry, onRetryFree, keptMs, firstProbeMs } = parts;
    this.lease = lease;
    this.#database = database;
    this.#log = log;
    this.#onHungry = onHungry;
    this.#onRetryFree = onRetryFree;
    this.#webhook = webhook;
    this.#sender = sender;
    this.#health = createWebhookHealth({ ...webhook, firstWaitMs: firstProbeMs });
    this.#retries = new Retries(webhook.waiting);
    const isWaiting = (subjectId: string) => this.#retries.has(subjectId);
    this.#sources = new Sources({ database, lease, webhook, isWaiting, keptMs });
    const [hasEnded, onLost] = [() => this.hasEnded, () => this.end()];
    this.#cursor = new CursorWriter(database, lease, this.#sources.main, onLost);
    this.#attempts = new AttemptLog(database, lease);
    this.#progress = new ProgressStore({ webhookId: webhook.id, log, hasEnded, onLost });
    const [retries, cursor, progress] = [this.#retries, this.#cursor, this.#progress];
    this.#held = new HeldEvents({ database, lease, retries, cursor, progress, hasEnded, onLost });
    this.#pace = createPace(webhook.maxPerSecond, () => this.pump());
  }

  get version(): number {
    return this.#webhook.version;
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Begins a replay, or goes on with it. */
  startReplay(replay: WebhookReplay): void {
    if (this.#state === 'open' && this.#sources.startReplay(replay)) this.#onHungry();
  }

  /** The pages that the reader wants now. */
  pageRequests(): WebhookPageRequest[] {
    return this.#state !== 'open' || this.#retries.total >= mostWaiting ? [] : this.#sources.pageRequests();
  }

  /** Whether an event of the page with this key concerns the webhook, so that it is worth rendering. */
  wants(key: string, event: LoggedEvent): boolean {
    return this.#sources.wants(key, event);
  }

  /** Takes the page that it asked for under this key. */
  take(key: string, page: WebhookPage, rendered: RenderedEvents): void {
    if (this.#state !== 'open') return;
    this.#held.hold(this.#sources.take(key, page, rendered), [...this.#unstored]);
    this.pump();
  }

  retryRequest(): RetryRequest | null {
    const { except, limit } = this.#retries.beginReading();
    const { isProbed } = this.#health;
    const wanted = isProbed ? Math.min(limit, this.#health.window()) : limit;
    if (this.#state !== 'open' || wanted <= 0) return null;
    const { id: webhookId, mode } = this.#webhook;
    return { webhookId, ordered: mode === 'ordered', isProbe: isProbed, except, limit: wanted };
  }

  takeRetry(due: DueRetry, rendered: RenderedEvents): void {
    if (this.#state !== 'open') return;
    const { event } = due;
    const shown = event === null ? null : rendered.get(event);
    // An event that waits behind a resent one does not overtake one in flight. It is read again.
    if (event !== null && isSequenced(event) && this.#sources.main.hasEarlier(event)) return;
    if (shown !== null) return this.#retries.take(due, shown);
    endRetry(this.#database, this.lease, due.position).catch((err: unknown) => this.#progress.warn(err));
    this.#retries.forget(due);
  }

  /** The rows that are due were read. */
  retriesWereRead(): void {
    this.pump();
    // A probe is due, and each event that could go was probed already.
    if (this.#state === 'open' && this.#health.isProbed && this.#inFlight < this.#health.window())
      this.#retries.startOver();
  }

  /** Starts as many events as the health and the pace of the webhook allow. */
  pump(): void {
    while (this.#state === 'open' && this.#inFlight < this.#health.window()) {
      if (!this.#pace.mayStart()) return;
      const queued = this.#retries.next() ?? this.#sources.next();
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
      const isRefused = !isTaken(answer) && !isProbe;
      // At once, so that events of the subject that are read meanwhile wait behind this one and its successors.
      if (isRefused) this.#retries.wait(queued.event);
      const stored = this.#store(queued, answer, isProbe);
      this.#unstored.add(stored);
      if (isRefused) this.#held.hold(queued.takeSuccessors(), [stored]);
      await stored;
      this.#unstored.delete(stored);
    } finally {
      this.#inFlight--;
    }
    this.pump();
    if (this.#sources.main.isBehind && this.#sources.main.wantsMore) this.#onHungry();
  }

  /** Never rejects. */
  #store(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): Promise<void> {
    if (isTaken(answer)) return this.#taken(queued, answer, isProbe);
    return isProbe ? this.#probeFailed(queued, answer) : this.#failed(queued, answer);
  }

  async #taken(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): Promise<void> {
    const { event, isRetry } = queued;
    // Before anything is stored: answers that are stored together must count in the order in which they came.
    const wasProbed = this.#health.isProbed;
    this.#health.succeeded();
    const isStored = await this.#progress.untilStored(async () => {
      if (isRetry) await endRetry(this.#database, this.lease, event.position);
      // Also an event that was in flight when probing began.
      if (wasProbed) {
        await this.#probeStored;
        await noteRecovery(this.#database, this.lease);
      }
      return true;
    });
    if (isStored === undefined) return;
    this.#retries.startOver();
    this.#cursor.succeeded();
    this.#retries.forget(event);
    queued.settle();
    if (this.#webhook.mode === 'ordered' && this.#retries.has(event.subjectId)) this.#onRetryFree();
    this.#attempts.succeeded(queued, answer, isProbe).catch((err: unknown) => this.#progress.warn(err));
  }

  async #probeFailed(queued: QueuedEvent, answer: PostAnswer): Promise<void> {
    const failingMs = await this.#storeProbe(this.#health.probeFailed());
    if (failingMs === undefined) return;
    await this.#progress.untilStored(() => this.#attempts.probeFailed(queued, answer));
    queued.putBack();
    await this.#afterFailure(failingMs, answer);
  }

  async #failed(queued: QueuedEvent, answer: PostAnswer): Promise<void> {
    // At once: many may be in flight, and probing must begin only once.
    const probe = this.#health.failed();
    const begun = probe === null ? null : this.#storeProbe(probe);
    const retryAfterMs = parseRetryAfter(answer.retryAfter, Date.now());
    const retryMs = waitAfterTry(queued.tries + 1, retryAfterMs, Math.random());
    const attempt = attemptOf(queued, answer, false);
    const failingMs = await this.#progress.untilFailureStored(() =>
      noteFailure(this.#database, this.lease, attempt, retryMs),
    );
    // Without its row, the cursor must not pass the event.
    if (failingMs === undefined) return;
    if (retryMs === null) this.#retries.forget(queued.event);
    this.#cursor.stored();
    queued.settle();
    await begun;
    await this.#afterFailure(failingMs, answer);
  }

  /** Stores when the next probe is due. */
  #storeProbe({ probes, waitMs }: NextProbe): Promise<number | undefined> {
    const store = () => noteProbe(this.#database, this.lease, probes, waitMs);
    this.#probeStored = this.#progress.untilFailureStored(store);
    return this.#probeStored;
  }

  async #afterFailure(failingMs: number, { status }: PostAnswer): Promise<void> {
    const verdict = judgeFailing(failingMs, status);
    if (verdict.disabled !== null) return this.#disable(verdict.disabled);
    if (verdict.toldHours > 0)
      await this.#progress.untilStored(() => tellFailing(this.#database, this.lease, verdict.toldHours));
  }

  async #disable(reason: 'gone' | 'failing'): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    const isDisabled = await this.#progress.untilStored(async () => {
      await this.#cursor.write();
      return disableWebhook(this.#database, this.lease, this.#webhook.version, reason);
    });
    this.end();
    if (isDisabled === true) this.#log.warn({ webhookId: this.#webhook.id, reason }, 'webhook disabled');
  }

  /** Stores the cursors if it is time. */
  async persist(): Promise<void> {
    await this.#sources.persistReplay();
    await this.#cursor.writeIfDue();
  }

  /** Begins nothing new, stores no results any more, and ends what is in flight: another worker may send it now. */
  end(): void {
    this.#state = 'ended';
    this.#pace.stop();
    this.#sender.close();
  }

  /** Waits a short time for the events in flight, and stores the cursors for the next owner. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    const until = performance.now() + closingMs;
    while (this.#inFlight > 0 && !this.hasEnded && performance.now() < until) await sleep(10);
    if (!this.hasEnded) await this.#storeCursors().catch((err: unknown) => this.#progress.warn(err));
    this.end();
  }

  async #storeCursors(): Promise<void> {
    await this.#sources.persistReplay(true);
    await this.#cursor.write();
  }
}
