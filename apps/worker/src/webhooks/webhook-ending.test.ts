/** Readers of webhooks that end while they store something. */
import type { PostAnswer } from '@kurir/address-guard';
import { newId } from '@kurir/contracts';
import { createAccountKeys, type Database } from '@kurir/database';
import { readWebhookEvents, readWebhooks, takeWebhooks } from '@kurir/database/webhooks';
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWebhookFixture, type WebhookCustomer } from '../../test/webhook-fixture.js';
import { renderEvents } from './queue/render-events.js';
import { WebhookReader } from './webhook-reader.js';
import { WebhookReaders } from './webhook-readers.js';
import type { WebhookSender } from './webhook-sender.js';

const fixture = useWebhookFixture();
const log = createLogger({ name: 'webhooks', level: 'silent', pretty: false });
const dayMs = 24 * 60 * 60 * 1_000;

type HangingSender = WebhookSender & { readonly inFlight: number };

/** As the real one, it fails what is in flight when it is closed. */
function hangingSender(): HangingSender {
  const refusals: (() => void)[] = [];
  const closed = { status: null, failure: 'connection_failed', text: null, retryAfter: null, durationMs: 1 } as const;
  return {
    get inFlight() {
      return refusals.length;
    },
    send: () => new Promise<PostAnswer>((resolve) => void refusals.push(() => resolve(closed))),
    close: () => {
      for (const refuseOne of refusals) refuseOne();
    },
  };
}

/** Calls `before` before each statement of this name. */
function watched(database: Database, name: string, before: () => void): Database {
  const { pool } = database;
  const query = (...[statement, ...rest]: unknown[]) => {
    if ((statement as { name?: string }).name === name) before();
    return (pool.query as (...all: unknown[]) => unknown)(statement, ...rest);
  };
  const connect = () => pool.connect();
  return { ...database, pool: { query, connect } as unknown as Database['pool'] };
}

const cursorOf = ({ webhookId }: WebhookCustomer) =>
  fixture().query('SELECT generation, xid::text, seq FROM webhook_readers WHERE webhook_id = $1', [webhookId]);

test('a reader that ends while it hands over leaves the cursor before events without a result', async () => {
  const t = fixture();
  const customer = await t.customer();
  await t.append(customer.accountId, 1, ['message.sent']);
  const [lease] = await takeWebhooks(t.database, newId('wrk'), 1);
  const [webhook] = await readWebhooks(t.database, [customer.webhookId]);
  if (lease === undefined || webhook === undefined) throw new Error('the webhook is not free');
  const before = await cursorOf(customer);
  const sender = hangingSender();
  const noop = () => undefined;
  // The clock of this worker ends the reader, while the lease still stands in Postgres.
  const database = watched(t.database, 'move-replay', () => reader.end());
  const parts = { database, lease, webhook, sender, log, onHungry: noop, onRetryFree: noop, keptMs: 30 * dayMs };
  const reader: WebhookReader = new WebhookReader(parts);
  await waitUntil(
    async () => {
      const requests = reader.pageRequests();
      const pages = await readWebhookEvents(t.database, requests, 128);
      for (const { key } of requests) {
        const page = pages.get(key);
        if (page === undefined) continue;
        const keys = createAccountKeys(t.database, t.sealer);
        reader.take(key, page, await renderEvents(t.database, keys, page.events));
      }
      return sender.inFlight === 1;
    },
    { what: 'the event is in flight' },
  );
  const span = { since: new Date(Date.now() - dayMs), until: new Date(Date.now() + dayMs) };
  reader.startReplay({ id: newId('rpl'), types: [], ...span, position: webhook.position });
  await reader.close();
  expect(reader.hasEnded).toBe(true);
  expect(await t.waiting(customer)).toEqual([]);
  expect(await cursorOf(customer)).toEqual(before);
});

test('a webhook that changes while its lease is lost is not opened again', async () => {
  const t = fixture();
  const customer = await t.customer();
  await t.append(customer.accountId, 1, ['message.sent']);
  const senders: HangingSender[] = [];
  let sawChanges: () => void = () => undefined;
  const noop = () => undefined;
  const readers = new WebhookReaders({
    owner: newId('wrk'),
    database: watched(t.database, 'webhook-changes', () => sawChanges()),
    sealer: t.sealer,
    accountKeys: createAccountKeys(t.database, t.sealer),
    policy: 'loopback',
    log,
    onHungry: noop,
    onRetryFree: noop,
    eventDays: 30,
    createSender: () => {
      const sender = hangingSender();
      senders.push(sender);
      return sender;
    },
  });
  await readers.balance();
  await waitUntil(
    async () => {
      await readers.readRound();
      return senders[0]?.inFlight === 1;
    },
    { what: 'the event is in flight' },
  );
  await t.query('UPDATE webhooks SET version = version + 1 WHERE id = $1', [customer.webhookId]);
  // It waits for the event in flight. Meanwhile another worker takes the webhook.
  const changes = new Promise<void>((resolve) => {
    sawChanges = resolve;
  });
  const balancing = readers.balance();
  await changes;
  await t.query(
    `UPDATE webhook_readers SET owner = 'wrk_other', epoch = epoch + 1, expires_at = now() + interval '1 minute'
     WHERE webhook_id = $1`,
    [customer.webhookId],
  );
  await readers.renew();
  await balancing;
  expect(readers.size).toBe(0);
  expect(senders).toHaveLength(1);
  await readers.stop();
});
