/**
 * The webhooks of this worker: takes and renews their leases, reads the log for all of them together, and gives each
 * reader its events. Several workers share the webhooks.
 */
import type { AddressPolicy } from '@kurir/address-guard';
import type { WebhookId } from '@kurir/contracts';
import type { AccountKeys, Database, Sealer } from '@kurir/database';
import {
  readDueRetries,
  readWebhookChanges,
  readWebhookEvents,
  readWebhookSecrets,
  readWebhookShare,
  readWebhooks,
  releaseWebhooks,
  renewWebhooks,
  takeWebhooks,
  type WebhookChange,
  type WebhookLease,
  webhookLeaseTtlMs,
} from '@kurir/database/webhooks';
import type { Logger } from '@kurir/logging';
import { renderEvents } from './queue/render-events.js';
import { WebhookReader } from './webhook-reader.js';
import { createWebhookSender } from './webhook-sender.js';

export type WebhookReadersOptions = {
  readonly owner: string;
  readonly database: Database;
  readonly sealer: Sealer;
  /** Open the texts that events show. */
  readonly accountKeys: AccountKeys;
  readonly policy: AddressPolicy;
  readonly log: Logger;
  /** Called when a reader wants events. The round then comes at once. */
  readonly onHungry: () => void;
  /** Called when an event of a row may go. Rows are then read at once. */
  readonly onRetryFree: () => void;
  /** How many days webhooks reach back. */
  readonly eventDays: number;
  readonly firstProbeMs?: number | undefined;
  /** By default each event is posted. */
  readonly createSender?: typeof createWebhookSender;
};

const dayMs = 24 * 60 * 60 * 1_000;
/** The events of one round, for all readers together. */
const roundMaxEvents = 4_000;
const pageMaxEvents = 128;
const pageMinEvents = 8;
/** Without a renewal for so long, another worker may have the webhooks. */
const fenceAfterMs = webhookLeaseTtlMs - 2_000;

export class WebhookReaders {
  readonly #options: WebhookReadersOptions;
  readonly #held = new Map<WebhookId, WebhookReader>();
  #renewedAt = performance.now();
  #isStopping = false;
  #balancing: Promise<void> = Promise.resolve();

  constructor(options: WebhookReadersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  get #readers(): WebhookReader[] {
    return [...this.#held.values()];
  }

  /** Renews the leases. Readers whose lease is lost end. */
  async renew(): Promise<void> {
    const leases = this.#readers.map(({ lease }) => lease);
    const startedAt = performance.now();
    const renewed = new Set((await renewWebhooks(this.#options.database, leases)).map(({ webhookId }) => webhookId));
    this.#renewedAt = startedAt;
    for (const { webhookId } of leases) if (!renewed.has(webhookId)) this.#drop(webhookId);
  }

  /** Ends all readers if their leases may have run out. */
  fenceIfStale(): void {
    if (this.#held.size === 0) this.#renewedAt = performance.now();
    if (performance.now() - this.#renewedAt < fenceAfterMs) return;
    for (const id of this.#held.keys()) this.#drop(id);
  }

  #drop(id: WebhookId): void {
    this.#held.get(id)?.end();
    this.#held.delete(id);
  }

  /** Takes webhooks up to the fair share, gives one back beyond it, and follows the changes of people. */
  balance(): Promise<void> {
    this.#balancing = this.#balance();
    return this.#balancing;
  }

  async #balance(): Promise<void> {
    if (this.#isStopping) return;
    const { database, owner } = this.#options;
    for (const { lease, hasEnded } of this.#readers) if (hasEnded) this.#drop(lease.webhookId);
    const share = await readWebhookShare(database);
    const taken = await takeWebhooks(database, owner, share - this.#held.size);
    await this.#open(taken);
    const [first] = this.#held.keys();
    if (taken.length === 0 && this.#held.size > share && first !== undefined) await this.#giveBack([first]);
    await this.#follow();
  }

  async #open(leases: readonly WebhookLease[]): Promise<void> {
    if (leases.length === 0) return;
    const { database, sealer, policy, log, onHungry, onRetryFree, eventDays, firstProbeMs } = this.#options;
    const { createSender = createWebhookSender } = this.#options;
    const keptMs = eventDays * dayMs;
    const ids = leases.map(({ webhookId }) => webhookId);
    const [webhooks, secrets] = [await readWebhooks(database, ids), await readWebhookSecrets(database, sealer, ids)];
    if (this.#isStopping) return releaseWebhooks(database, leases);
    for (const webhook of webhooks) {
      const lease = leases.find(({ webhookId }) => webhookId === webhook.id);
      if (lease === undefined) continue;
      const sender = createSender(webhook.url, secrets.get(webhook.id) ?? [], policy);
      const parts = { database, lease, webhook, sender, log, onHungry, onRetryFree, keptMs, firstProbeMs };
      this.#held.set(webhook.id, new WebhookReader(parts));
    }
    onHungry();
  }

  async #giveBack(ids: readonly WebhookId[]): Promise<void> {
    const readers = ids.flatMap((id) => this.#held.get(id) ?? []);
    for (const id of ids) this.#held.delete(id);
    await Promise.all(readers.map((reader) => reader.close()));
    await releaseWebhooks(
      this.#options.database,
      readers.map(({ lease }) => lease),
    );
  }

  async #follow(): Promise<void> {
    const ids = [...this.#held.keys()];
    const changes = new Map(
      (await readWebhookChanges(this.#options.database, ids)).map((change) => [change.id, change]),
    );
    const held = Array.from(this.#held);
    await Promise.all(held.map(([id, reader]) => this.#followOne(id, reader, changes.get(id))));
  }

  async #followOne(id: WebhookId, reader: WebhookReader, change: WebhookChange | undefined): Promise<void> {
    if (change === undefined) return this.#drop(id);
    if (!change.enabled) return this.#giveBack([id]);
    if (change.version !== reader.version) {
      await reader.close();
      // `stop` gives back all that is held. A lease that was lost meanwhile may belong to another reader.
      if (this.#isStopping || this.#held.get(id) !== reader) return;
      this.#held.delete(id);
      await this.#open([reader.lease]);
    }
    if (change.replay !== null) this.#held.get(id)?.startReplay(change.replay);
  }

  /** Reads one page for each reader that wants one. Returns whether there is more to read at once. */
  async readRound(): Promise<boolean> {
    const { database, accountKeys } = this.#options;
    const asked = this.#readers.flatMap((reader) => reader.pageRequests().map((request) => ({ reader, request })));
    const limit = Math.max(pageMinEvents, Math.min(pageMaxEvents, Math.floor(roundMaxEvents / (asked.length + 1))));
    const pages = await readWebhookEvents(
      database,
      asked.map(({ request }) => request),
      limit,
    );
    const wanted = asked.flatMap(({ reader, request: { key } }) =>
      (pages.get(key)?.events ?? []).filter((event) => reader.wants(key, event)),
    );
    const rendered = await renderEvents(database, accountKeys, wanted);
    for (const { reader, request } of asked) {
      const page = pages.get(request.key);
      if (page !== undefined) reader.take(request.key, page, rendered);
    }
    return asked.some(({ reader, request: { key } }) => pages.get(key)?.hasMore && reader.pageRequests().length > 0);
  }

  /** Gives each reader the events that are due for another try. */
  async readRetries(): Promise<void> {
    const { database, accountKeys } = this.#options;
    const due = await readDueRetries(
      database,
      this.#readers.flatMap((reader) => reader.retryRequest() ?? []),
    );
    const rendered = await renderEvents(
      database,
      accountKeys,
      due.flatMap(({ event }) => event ?? []),
    );
    for (const one of due) this.#held.get(one.webhookId)?.takeRetry(one, rendered);
    // A probe may be due now, although nothing has a row.
    for (const reader of this.#readers) reader.retriesWereRead();
  }

  /** Stores the cursors that are due. */
  async persist(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.persist()));
  }

  /** Hands all webhooks over. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#giveBack([...this.#held.keys()]);
    await this.#balancing.catch(() => undefined);
  }
}
