/**
 * The load of an attack: asks for messages at a steady rate until it is stopped, and cancels some of those that it
 * scheduled. After an interrupted run it first asks again for every message without a verdict.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevicePlan } from '../plan/device-plan.js';
import type { Asked } from '../records/client-record.js';
import { type Composed, createComposer } from './compose.js';
import { type Decided, PersistentClient, type PersistentClientOptions } from './persistent-client.js';

export type LoadOptions = PersistentClientOptions & {
  readonly devicePlan: DevicePlan;
  readonly perSecond: number;
  /** True while the gateway has a long backlog. The load pauses then, as a careful customer would. */
  readonly isBehind: () => boolean;
};

const tickMs = 50;
const requestsAtOnce = 128;
/** After an outage the load catches up on at most this much time. */
const owedSeconds = 30;
/** The share of scheduled messages that the load cancels. */
const cancelled = 0.5;

export class Load {
  readonly #options: LoadOptions;
  readonly #client: PersistentClient;
  readonly #compose: (now: number) => Composed;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #requests = 0;
  #accepted = 0;
  #open = 0;
  #owed = 0;
  #askedMs = 0;
  #lastTick = performance.now();

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#client = new PersistentClient(options);
    this.#compose = createComposer(options.random, options.devicePlan, options.record.byRef.size);
    this.#takeUp();
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** How many messages have no verdict. */
  get open(): number {
    return this.#open;
  }

  /** How long the load has run. */
  get seconds(): number {
    return this.#askedMs / 1_000;
  }

  /** Stops asking. Resolves when every message has its verdict. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #tick(): void {
    const now = performance.now();
    const passedMs = now - this.#lastTick;
    this.#lastTick = now;
    this.#askedMs += passedMs;
    if (this.#options.isBehind()) return;
    const { perSecond } = this.#options;
    this.#owed = Math.min(this.#owed + (passedMs / 1_000) * perSecond, owedSeconds * perSecond);
    while (this.#owed >= 1 && this.#requests < requestsAtOnce) this.#begin(this.#compose(Date.now()));
  }

  #begin(composed: Composed): void {
    this.#options.record.ask(composed.messages);
    this.#owed -= composed.messages.length;
    this.#open += composed.messages.length;
    this.#run(this.#ask(composed));
  }

  /** Asks for each message alone, because the record does not say which messages shared a bulk. */
  #takeUp(): void {
    for (const { asked, verdict } of this.#options.record.byRef.values()) {
      if (verdict !== null) continue;
      this.#open++;
      this.#run(this.#ask({ kind: 'single', messages: [asked] }));
    }
  }

  #run(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #ask(composed: Composed): Promise<void> {
    this.#requests++;
    await this.#client.ask(composed, (decided) => this.#note(decided));
    this.#requests--;
  }

  #note(decided: readonly Decided[]): void {
    this.#open -= decided.length;
    for (const { message, verdict } of decided) {
      if (verdict.kind !== 'accepted') continue;
      this.#accepted++;
      if (message.sendAt !== null && this.#options.random.chance(cancelled))
        this.#run(this.#cancel(message, verdict.jobId, message.sendAt));
    }
  }

  /** Cancels near the moment at which the message becomes due, so that cancelling and sending race. */
  async #cancel(message: Asked, jobId: string, dueAt: number): Promise<void> {
    await sleep(Math.max(0, dueAt + this.#options.random.whole(-1_500, 200) - Date.now()));
    await this.#client.cancel(message, jobId);
  }
}
