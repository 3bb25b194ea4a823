/** Webhooks that recover only in part, or change while they fail. */
import { pingWebhook } from '@kurir/database/webhooks';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { takenIds, useWebhookFixture, type WebhookCustomer } from '../../test/webhook-fixture.js';
import { type Behaviour, refuse, take } from '../../test/webhook-receiver.js';

const fixture = useWebhookFixture();

const probesOf = async ({ webhookId }: WebhookCustomer): Promise<number> => {
  const [reader] = await fixture().query<{ probes: number }>(
    'SELECT probes FROM webhook_readers WHERE webhook_id = $1',
    [webhookId],
  );
  return reader?.probes ?? 0;
};

test.for(['parallel', 'ordered'] as const)(
  'one event that is always refused does not keep a %s webhook from recovering',
  async (mode) => {
    const t = fixture();
    const customer = await t.customer({ mode });
    const { receiver } = customer;
    receiver.behave = refuse(500);
    t.startWebhooks({ firstProbeMs: 200 });
    const subjects = await t.append(customer.accountId, 20, ['message.sent', 'message.delivered']);
    await waitUntil(async () => (await probesOf(customer)) > 1, { what: 'the webhook is probed' });
    // The program works again, and has a fault of its own with the events that were probed so far.
    const poison = new Set(receiver.received.slice(-2).map(({ subjectId }) => subjectId));
    receiver.behave = (response, received) => (poison.has(received.subjectId) ? refuse(500) : take)(response, received);
    await waitUntil(
      async () => {
        await t.makeRetriesDue(customer);
        // The webhook itself is the subject of `webhook.recovered`.
        const taken = receiver.received.filter(({ isTaken, subjectId }) => isTaken && subjectId !== customer.webhookId);
        return new Set(taken.map(({ subjectId }) => subjectId)).size === subjects.length - poison.size;
      },
      { what: 'all others are taken', timeoutMs: 40_000 },
    );
    expect(await probesOf(customer)).toBe(0);
  },
);

test('many events that fail together begin to probe once, with the first wait', async () => {
  const t = fixture();
  const customer = await t.customer();
  const { receiver, webhookId } = customer;
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await t.untilTaken(customer, 1);
  const answers: (() => void)[] = [];
  receiver.behave = (response, received) => void answers.push(() => refuse(500)(response, received));
  await t.append(customer.accountId, 40, ['message.sent']);
  await waitUntil(() => answers.length > 20, { what: 'many events are in flight' });
  for (const answer of answers.splice(0)) answer();
  await waitUntil(async () => (await t.waiting(customer)).length > 20, { what: 'their failures are stored' });
  await waitUntil(async () => (await probesOf(customer)) > 0, { what: 'the webhook is probed' });
  const reader = await t.query<{ probes: number; wait: number }>(
    'SELECT probes, extract(epoch FROM probe_at - now())::float8 AS wait FROM webhook_readers WHERE webhook_id = $1',
    [webhookId],
  );
  expect(reader[0]?.probes).toBe(1);
  expect(reader[0]?.wait).toBeLessThan(37);
});

test('a ping probes at once', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(500);
  t.startWebhooks({ firstProbeMs: 600_000 });
  await t.append(customer.accountId, 12, ['message.sent']);
  await waitUntil(async () => (await probesOf(customer)) > 0, { what: 'the webhook is probed' });
  customer.receiver.behave = take;
  await pingWebhook(t.database, customer.webhookId);
  await t.untilTaken(customer, 13);
});

test('events that wait behind a refused one follow it without a pause', async () => {
  const t = fixture();
  const customer = await t.customer({ mode: 'ordered' });
  const { receiver } = customer;
  receiver.behave = refuse(500);
  t.startWebhooks();
  const kinds = Array.from({ length: 40 }, () => 'message.sent' as const);
  await t.append(customer.accountId, 1, kinds);
  await waitUntil(async () => (await t.waiting(customer)).length === 40, { what: 'all wait' });
  receiver.behave = take;
  const startedAt = performance.now();
  await t.makeRetriesDue(customer);
  await t.untilTaken(customer, 40);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  const order = receiver.received.filter(({ isTaken }) => isTaken).map(({ sequence }) => sequence);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('410 of an address that was changed meanwhile disables nothing', async () => {
  const t = fixture();
  const customer = await t.customer();
  const moved = await t.receiver();
  moved.secrets.push(...customer.receiver.secrets);
  const answers: (() => void)[] = [];
  customer.receiver.behave = (response, received) => void answers.push(() => refuse(410)(response, received));
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await waitUntil(() => answers.length === 1, { what: 'the event is in flight' });
  await t.query('UPDATE webhooks SET url = $2, version = version + 1 WHERE id = $1', [customer.webhookId, moved.url]);
  answers[0]?.();
  await waitUntil(() => takenIds(moved).size === 1, { what: 'the new address gets the event' });
  expect(await t.query('SELECT enabled FROM webhooks WHERE id = $1', [customer.webhookId])).toEqual([
    { enabled: true },
  ]);
});

/** Never answers, and says when the connection is closed. */
const hang =
  (onClose: () => void): Behaviour =>
  (response) =>
    void response.on('close', onClose);

test('a worker that lost its lease ends what is in flight before another one may send', async () => {
  const t = fixture();
  const customer = await t.customer({ mode: 'ordered' });
  let isClosed = false;
  customer.receiver.behave = hang(() => {
    isClosed = true;
  });
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent', 'message.delivered']);
  await waitUntil(() => customer.receiver.received.length === 1, { what: 'the event is in flight' });
  await t.postgres.cut();
  const startedAt = performance.now();
  await waitUntil(() => isClosed, { what: 'the worker closes the connection' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a worker that stops while a webhook changes keeps no lease', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = hang(() => undefined);
  const stop = t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await waitUntil(() => customer.receiver.received.length === 1, { what: 'the event is in flight' });
  const before = customer.receiver.received.length;
  await t.query('UPDATE webhooks SET version = version + 1 WHERE id = $1', [customer.webhookId]);
  // The worker sees the change within a second, and waits for the answer.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await stop();
  const held = 'SELECT 1 FROM webhook_readers WHERE owner IS NOT NULL AND expires_at > now()';
  expect(await t.query(held)).toEqual([]);
  expect(customer.receiver.received).toHaveLength(before);
});
