/** Tests of webhooks whose worker, Postgres, Redis or server fails in the middle. */
import type { EventType } from '@kurir/contracts';
import { makeWebhookSecret } from '@kurir/signing';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { takenIds, useWebhookFixture, type WebhookCustomer } from '../../test/webhook-fixture.js';
import { type Received, refuse, take } from '../../test/webhook-receiver.js';

const fixture = useWebhookFixture();
const life: readonly EventType[] = ['message.sent', 'message.delivered', 'message.read'];

/** The events of each subject, in the order in which the server took each of them first. */
function firstTaken({ receiver: { received } }: WebhookCustomer): ReadonlyMap<string, number[]> {
  const seen = new Set<string>();
  const orders = new Map<string, number[]>();
  for (const { id, subjectId, sequence, isTaken } of received) {
    if (!isTaken || seen.has(id)) continue;
    seen.add(id);
    orders.set(subjectId, [...(orders.get(subjectId) ?? []), sequence]);
  }
  return orders;
}

function expectOrder(customer: WebhookCustomer): void {
  for (const order of firstTaken(customer).values()) expect(order).toEqual([...order].sort((a, b) => a - b));
}

function expectOneBody({ receiver: { received } }: WebhookCustomer): void {
  const bodies = new Map<string, string>();
  for (const { id, body } of received) {
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
  expect(received.every(({ isValid }) => isValid)).toBe(true);
}

test('an ordered webhook gets the events of each subject in order, although many fail', async () => {
  const t = fixture();
  const customer = await t.customer({ mode: 'ordered' });
  let count = 0;
  customer.receiver.behave = (response, received) => (count++ % 7 === 3 ? refuse(500) : take)(response, received);
  t.startWebhooks();
  await t.append(customer.accountId, 100, life);
  await waitUntil(
    async () => {
      await t.makeRetriesDue(customer);
      return takenIds(customer.receiver).size === 300;
    },
    { what: 'all events are taken', timeoutMs: 60_000 },
  );
  expectOrder(customer);
  expectOneBody(customer);
});

test('an event that stands before its predecessor in the log waits for it', async () => {
  const t = fixture();
  const customer = await t.customer({ mode: 'ordered' });
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await t.untilTaken(customer, 1);
  // The first transaction has its id before the second one, and writes its event after that one has committed.
  const first = await t.database.pool.connect();
  await first.query('BEGIN; SELECT pg_current_xact_id()');
  const insert = (sequence: number, kind: string) => ({
    text: `INSERT INTO events (account_id, generation, subject_id, sequence, kind)
           VALUES ($1, event_generation(), 'msg_crossing', $2, $3)`,
    values: [customer.accountId, sequence, kind],
  });
  await t.database.pool.query(insert(1, 'message.sent'));
  const holder = await t.database.pool.connect();
  await holder.query('BEGIN; SELECT pg_current_xact_id()');
  await first.query(insert(2, 'message.delivered'));
  await first.query('COMMIT');
  await holder.query('COMMIT');
  first.release();
  holder.release();
  await t.untilTaken(customer, 3);
  expectOrder(customer);
});

test('two workers share the webhooks, and one takes over those of the other', async () => {
  const t = fixture();
  const customers = await Promise.all([1, 2, 3, 4].map(() => t.customer({ mode: 'ordered' })));
  const stopFirst = t.startWebhooks();
  t.startWebhooks({ isDirect: true });
  const append = () => Promise.all(customers.map(({ accountId }) => t.append(accountId, 50, life)));
  await append();
  await Promise.all(customers.map((customer) => t.untilTaken(customer, 50)));
  await stopFirst();
  await append();
  await Promise.all(customers.map((customer) => t.untilTaken(customer, 300)));
  for (const customer of customers) {
    expectOrder(customer);
    expectOneBody(customer);
  }
});

test('a worker that is cut from Postgres loses its webhooks within seconds, and nothing is missing', async () => {
  const t = fixture();
  const customer = await t.customer();
  t.startWebhooks();
  await t.append(customer.accountId, 200, life);
  await t.untilTaken(customer, 100);
  await t.postgres.cut();
  t.startWebhooks({ isDirect: true });
  await t.append(customer.accountId, 200, life);
  await t.untilTaken(customer, 1_200);
  expectOneBody(customer);
});

test('failures while Postgres is away are stored when it is back', async () => {
  const t = fixture();
  const customer = await t.customer();
  const answers: (() => void)[] = [];
  customer.receiver.behave = (response, received) => void answers.push(() => refuse(500)(response, received));
  t.startWebhooks();
  await t.append(customer.accountId, 3, ['message.sent']);
  await waitUntil(() => answers.length === 3, { what: 'all are in flight' });
  await t.postgres.cut();
  for (const answer of answers) answer();
  await t.postgres.restore();
  await waitUntil(async () => (await t.waiting(customer)).length === 3, { what: 'all wait', timeoutMs: 60_000 });
  customer.receiver.behave = take;
  await t.makeRetriesDue(customer);
  await t.untilTaken(customer, 3);
});

test('without Redis, events arrive a little later', async () => {
  const t = fixture();
  const customer = await t.customer();
  await t.redis.cut();
  t.startWebhooks();
  await t.append(customer.accountId, 10);
  await t.untilTaken(customer, 20);
});

test('events of a new generation follow those of the old one', async () => {
  const t = fixture();
  const customer = await t.customer();
  t.startWebhooks();
  await t.append(customer.accountId, 10, ['message.sent']);
  await t.untilTaken(customer, 10);
  await t.query('UPDATE event_log SET restore_number = restore_number + 1');
  await t.append(customer.accountId, 10, ['message.sent']);
  await t.untilTaken(customer, 20);
});

test('a replay sends the span once more under the same ids, while new events go out', async () => {
  const t = fixture();
  const customer = await t.customer();
  t.startWebhooks();
  await t.append(customer.accountId, 100, life);
  await t.untilTaken(customer, 300);
  const before = customer.receiver.received.length;
  await t.query(
    `INSERT INTO webhook_replays (id, webhook_id, types, since, until, generation, xid, seq, events)
     VALUES ('rpl_1', $1, '{message.sent}', now() - interval '1 hour', now(), 0, '0', 0, 100)`,
    [customer.webhookId],
  );
  await t.append(customer.accountId, 1, ['message.failed']);
  await waitUntil(() => customer.receiver.received.length >= before + 101, { what: 'the span comes again' });
  const again: Received[] = customer.receiver.received.slice(before);
  expect(again.map(({ type }) => type).sort()).toEqual(['message.failed', ...Array<string>(100).fill('message.sent')]);
  expectOneBody(customer);
  const ended = () => t.query('SELECT read_events FROM webhook_replays WHERE ended_at IS NOT NULL');
  await waitUntil(async () => (await ended()).length === 1, { what: 'the replay ends' });
  expect(await ended()).toEqual([{ read_events: 100 }]);
});

test('an old secret signs until it expires, and no longer', async () => {
  const t = fixture();
  const customer = await t.customer();
  const { secrets, received } = customer.receiver;
  const old = { secret: makeWebhookSecret(), version: 0 };
  const [row] = await t.query<{ account_id: string }>('SELECT account_id FROM webhooks WHERE id = $1', [
    customer.webhookId,
  ]);
  const sealed = t.sealer.seal(
    Buffer.from(old.secret),
    `webhook|${row?.account_id}|${customer.webhookId}|${old.version}`,
  );
  await t.query(
    `INSERT INTO webhook_secrets (webhook_id, version, sealed, expires_at) VALUES ($1, $2, $3, now() + interval '5 seconds')`,
    [customer.webhookId, old.version, sealed],
  );
  // From here on, the receiver knows the old secret only.
  secrets.splice(0, secrets.length, old.secret);
  t.startWebhooks();
  const deliver = async () => {
    const before = received.length;
    await t.append(customer.accountId, 1, ['message.sent']);
    await waitUntil(() => received.length > before, { what: 'the event arrives' });
    return received.at(-1)?.isValid;
  };
  expect(await deliver()).toBe(true);
  await waitUntil(async () => !(await deliver()), { what: 'the old secret signs no more' });
});

test('a changed address and a rotated secret count within seconds', async () => {
  const t = fixture();
  const customer = await t.customer();
  const moved = await t.receiver();
  moved.secrets.push(...customer.receiver.secrets);
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await t.untilTaken(customer, 1);
  await t.query('UPDATE webhooks SET url = $2, version = version + 1 WHERE id = $1', [customer.webhookId, moved.url]);
  await waitUntil(
    async () => {
      await t.append(customer.accountId, 1, ['message.sent']);
      return moved.received.length > 0;
    },
    { what: 'the new address gets events' },
  );
  expect(moved.received.every(({ isValid }) => isValid)).toBe(true);
});
