/** Tests of webhooks against real servers, Postgres and Redis. */
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { takenIds, useWebhookFixture } from '../../test/webhook-fixture.js';
import { type Behaviour, refuse, take } from '../../test/webhook-receiver.js';

const fixture = useWebhookFixture();

/** On a full machine a lease may run out. Then the events in flight come again, which the promise allows. */
const mostInFlight = 100;

test('each event arrives, signed, while hardly a row is written', async () => {
  const t = fixture();
  const customer = await t.customer();
  t.startWebhooks();
  await t.append(customer.accountId, 1_000);
  await t.untilTaken(customer, 2_000);
  const { received } = customer.receiver;
  expect(new Set(received.map(({ id }) => id)).size).toBe(2_000);
  expect(received.length).toBeLessThanOrEqual(2_000 + mostInFlight);
  expect(received.every(({ isValid }) => isValid)).toBe(true);
  expect(await t.waiting(customer)).toEqual([]);
});

test('a webhook gets the types and devices that it asked for, and by default no accepted ones', async () => {
  const t = fixture();
  const byDefault = await t.customer();
  const named = await t.customer({ accountId: byDefault.accountId, types: ['message.accepted', 'message.read'] });
  const ofDevice = await t.customer({ accountId: byDefault.accountId, deviceIds: ['dev_x'] });
  t.startWebhooks();
  const types = ['message.accepted', 'message.sending', 'message.sent', 'message.read'] as const;
  await t.append(byDefault.accountId, 1, types);
  await t.append(byDefault.accountId, 1, ['message.failed'], 'dev_x');
  await t.untilTaken(byDefault, 3);
  await t.untilTaken(named, 2);
  await t.untilTaken(ofDevice, 1);
  const typesOf = ({ receiver }: typeof named) => receiver.received.map(({ type }) => type).sort();
  expect(typesOf(byDefault)).toEqual(['message.failed', 'message.read', 'message.sent']);
  expect(typesOf(named)).toEqual(['message.accepted', 'message.read']);
  expect(typesOf(ofDevice)).toEqual(['message.failed']);
});

test('an event that is older than the kept days goes to nobody', async () => {
  const t = fixture();
  const customer = await t.customer();
  const old = await t.append(customer.accountId, 1, ['message.sent']);
  await t.query(`UPDATE events SET at = at - interval '3 days' WHERE subject_id = ANY ($1::text[])`, [old]);
  const [kept] = await t.append(customer.accountId, 1, ['message.sent']);
  t.startWebhooks({ eventDays: 2 });
  await t.untilTaken(customer, 1);
  expect(customer.receiver.received.map(({ body }) => JSON.parse(body).subject.id)).toEqual([kept]);
});

test('a refused event comes again under its id with the same body, after a wait', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(500);
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await waitUntil(async () => (await t.waiting(customer)).length === 1, { what: 'the event waits' });
  const [waiting] = await t.waiting(customer);
  expect(waiting).toMatchObject({ tries: 1, failed: false });
  expect(waiting?.wait).toBeGreaterThan(2);
  expect(waiting?.wait).toBeLessThan(6.1);
  customer.receiver.behave = take;
  await t.makeRetriesDue(customer);
  await t.untilTaken(customer, 1);
  const [first, second] = customer.receiver.received;
  expect(second).toMatchObject({ id: first?.id, body: first?.body, isValid: true });
  await waitUntil(async () => (await t.waiting(customer)).length === 0, { what: 'the row is gone' });
  const attempts = () =>
    t.query('SELECT tries, outcome, status, response FROM webhook_attempts WHERE webhook_id = $1 ORDER BY id', [
      customer.webhookId,
    ]);
  // A success is recorded after its row is gone.
  await expect.poll(attempts, { timeout: 10_000 }).toEqual([
    { tries: 1, outcome: 'retrying', status: 500, response: 'refused with 500' },
    { tries: 2, outcome: 'delivered', status: 200, response: null },
  ]);
});

test('Retry-After is obeyed', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(429, { 'retry-after': '3600' });
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  await waitUntil(async () => (await t.waiting(customer)).length === 1, { what: 'the event waits' });
  expect((await t.waiting(customer))[0]?.wait).toBeGreaterThan(3_500);
});

test('an event out of tries is failed, and the ones after it arrive', async () => {
  const t = fixture();
  const customer = await t.customer();
  const [bad] = await t.append(customer.accountId, 1, ['message.sent']);
  customer.receiver.behave = (response, received) =>
    received.subjectId === bad ? refuse(422)(response, received) : take(response, received);
  t.startWebhooks();
  await waitUntil(async () => (await t.waiting(customer)).length === 1, { what: 'the event waits' });
  await t.query(`UPDATE webhook_retries SET tries = 9, due_at = now() - interval '2 ms' WHERE webhook_id = $1`, [
    customer.webhookId,
  ]);
  await waitUntil(async () => (await t.waiting(customer))[0]?.failed, { what: 'the event is failed' });
  await t.append(customer.accountId, 1, ['message.sent']);
  await t.untilTaken(customer, 1);
});

test('410 disables at once, and the cursor stays', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(410);
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  const state = () =>
    t.query<{ enabled: boolean }>('SELECT enabled, disabled_reason FROM webhooks WHERE id = $1', [customer.webhookId]);
  await waitUntil(async () => !(await state())[0]?.enabled, { what: 'the webhook is disabled' });
  expect(await state()).toEqual([{ enabled: false, disabled_reason: 'gone' }]);
  await t.append(customer.accountId, 1, ['message.delivered']);
  customer.receiver.behave = take;
  await t.query('UPDATE webhooks SET enabled = true, disabled_reason = NULL, version = version + 1 WHERE id = $1', [
    customer.webhookId,
  ]);
  await t.makeRetriesDue(customer);
  // The event that was refused, the one that came meanwhile, and that the webhook was disabled.
  await t.untilTaken(customer, 3);
  expect(customer.receiver.received.map(({ type }) => type)).toContain('webhook.disabled');
});

test('a webhook that only fails is probed instead of flooded, and recovers with everything', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(503);
  t.startWebhooks({ firstProbeMs: 1_500 });
  await t.append(customer.accountId, 500, ['message.sent']);
  const probes = async () =>
    (
      await t.query<{ probes: number }>('SELECT probes FROM webhook_readers WHERE webhook_id = $1', [
        customer.webhookId,
      ])
    )[0]?.probes ?? 0;
  await waitUntil(async () => (await probes()) >= 2, { what: 'the webhook is probed' });
  // Ten failures, what was in flight then, and the probes.
  expect(customer.receiver.received.length).toBeLessThan(20);
  const rows = await t.waiting(customer);
  expect(rows.every(({ tries }) => tries === 1)).toBe(true);
  customer.receiver.behave = take;
  await t.untilTaken(customer, 501);
  expect(customer.receiver.received.map(({ type }) => type)).toContain('webhook.recovered');
  expect(await probes()).toBe(0);
});

test('a webhook that failed for three days is disabled, and people are told before', async () => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = refuse(500);
  t.startWebhooks({ firstProbeMs: 200 });
  await t.append(customer.accountId, 20, ['message.sent']);
  const failFor = (hours: number) =>
    t.query(`UPDATE webhook_readers SET failing_since = now() - $2 * interval '1 hour' WHERE webhook_id = $1`, [
      customer.webhookId,
      hours,
    ]);
  const told = () =>
    t.query(`SELECT kind, state, sequence FROM events WHERE subject_id = $1 ORDER BY xid, seq`, [customer.webhookId]);
  await waitUntil(() => customer.receiver.received.length >= 10, { what: 'it fails' });
  await failFor(1.1);
  await waitUntil(async () => (await told()).length === 1, { what: 'people are told' });
  await failFor(25);
  await waitUntil(async () => (await told()).length === 2, { what: 'people are told again' });
  await failFor(73);
  await waitUntil(async () => (await told()).length === 3, { what: 'the webhook is disabled' });
  expect(await told()).toEqual([
    { kind: 'webhook.failing', state: '1', sequence: null },
    { kind: 'webhook.failing', state: '24', sequence: null },
    { kind: 'webhook.disabled', state: 'failing', sequence: 1 },
  ]);
});

test('a slow and a dead webhook delay no other one', async () => {
  const t = fixture();
  const well = await t.customer();
  const hanging = await t.customer({ accountId: well.accountId });
  const dead = await t.customer({ accountId: well.accountId });
  hanging.receiver.behave = () => undefined;
  await dead.receiver.close();
  t.startWebhooks();
  await t.append(well.accountId, 200);
  await t.untilTaken(well, 400);
  expect(takenIds(hanging.receiver).size).toBe(0);
});

const lies: readonly (readonly [string, Behaviour, number])[] = [
  ['redirects', refuse(302, { location: 'http://127.0.0.1:1/' }), 0],
  ['resets the connection', (response) => void response.socket?.resetAndDestroy(), 0],
  ['sends no HTTP', (response) => void response.socket?.end('hello\r\n\r\n'), 0],
  ['answers with ten megabytes', (response) => void response.writeHead(200).end(Buffer.alloc(10_000_000)), 1],
  [
    'lies about the length',
    (response) => {
      response.writeHead(200, { 'content-length': '9' }).flushHeaders();
      response.socket?.end();
    },
    1,
  ],
  ['answers 204', (response) => void response.writeHead(204).end(), 1],
];

test.each(lies)('a server that %s is understood', async (_name, behaviour, delivered) => {
  const t = fixture();
  const customer = await t.customer();
  customer.receiver.behave = behaviour;
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  const attempts = () =>
    t.query<{ outcome: string }>('SELECT outcome FROM webhook_attempts WHERE webhook_id = $1', [customer.webhookId]);
  await waitUntil(async () => (await attempts()).length > 0, { what: 'the attempt is recorded' });
  expect(await attempts()).toEqual([{ outcome: delivered === 1 ? 'delivered' : 'retrying' }]);
});

test('an address that is not public is never called', async () => {
  const t = fixture();
  const customer = await t.customer({ url: 'http://169.254.169.254/latest' });
  t.startWebhooks();
  await t.append(customer.accountId, 1, ['message.sent']);
  const errors = () => t.query('SELECT error FROM webhook_attempts WHERE webhook_id = $1', [customer.webhookId]);
  await waitUntil(async () => (await errors()).length > 0, { what: 'the attempt is recorded' });
  expect(await errors()).toEqual([{ error: 'address_not_allowed' }]);
});

test('a ping goes to its own webhook only, whatever its types', async () => {
  const t = fixture();
  const customer = await t.customer({ types: ['quota.low'] });
  const other = await t.customer({ accountId: customer.accountId });
  t.startWebhooks();
  await t.query(`SELECT append_event_of_webhook($1, 'webhook.ping', NULL, true)`, [customer.webhookId]);
  await t.append(customer.accountId, 1, ['message.sent']);
  await t.untilTaken(customer, 1);
  await t.untilTaken(other, 1);
  expect(customer.receiver.received.map(({ type }) => type)).toEqual(['webhook.ping']);
  expect(other.receiver.received.map(({ type }) => type)).toEqual(['message.sent']);
});
