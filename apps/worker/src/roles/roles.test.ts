/** Workers with one role each, against real Postgres, Redis and the simulated network. */
import { createWebhook } from '@kurir/database/webhooks';
import { readBroadcast } from '@kurir/database/broadcasts';
import { makeWebhookSecret } from '@kurir/signing';
import { waitUntil } from '@kurir/testing';
import { afterEach, expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { startTestBroadcast } from '../../test/test-broadcast.js';
import { type Receiver, startReceiver } from '../../test/webhook-receiver.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();
const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** Returns a customer with a linked device, which no worker holds now, and a webhook for accepted and sent messages. */
async function customerWithWebhook(): Promise<{ customer: Customer; receiver: Receiver }> {
  const worker = fixture().startWorker({ roles: ['devices'] });
  const customer = await fixture().customer();
  await worker.stop();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const secret = makeWebhookSecret();
  receiver.secrets.push(secret);
  await createWebhook(fixture().database, fixture().sealer, {
    accountId: customer.accountId,
    url: receiver.url,
    description: '',
    types: ['message.accepted', 'message.sent'],
    deviceIds: [],
    mode: 'parallel',
    maxPerSecond: null,
    secret,
  });
  return { customer, receiver };
}

const untilTaken = (receiver: Receiver, types: readonly string[]) =>
  waitUntil(() => types.every((type) => receiver.received.some((event) => event.type === type)), {
    what: `the webhook gets ${types.join(' and ')}`,
    timeoutMs: 30_000,
  });

async function epochOf({ deviceId }: Customer): Promise<bigint> {
  const rows = await fixture().query<{ epoch: bigint }>('SELECT epoch FROM device_leases WHERE device_id = $1', [
    deviceId,
  ]);
  return rows[0]?.epoch ?? 0n;
}

const stateOf = async ({ accountId }: Customer, id: Awaited<ReturnType<typeof startTestBroadcast>>) =>
  (await readBroadcast(fixture().database, accountId, id))?.broadcast.state;

test('a worker with the role webhooks sends events and takes no device', async () => {
  const { customer, receiver } = await customerWithWebhook();
  const id = await fixture().sendOne(customer, { recipient: newPhoneNumber() });
  const before = await epochOf(customer);
  const worker = fixture().startWorker({ roles: ['webhooks'] });
  await untilTaken(receiver, ['message.accepted']);
  expect(await fixture().owner(customer.deviceId)).toBeNull();
  expect((await fixture().message(id)).status).toBe('queued');
  const health = await worker.health();
  expect(health).toEqual({ ok: true, roles: ['webhooks'], database: 'up', redis: 'up' });
  fixture().startWorker({ roles: ['devices'] });
  await fixture().untilStatus(id, 'sent');
  await untilTaken(receiver, ['message.sent']);
  // Each worker that takes a device raises its epoch.
  expect(await epochOf(customer)).toBe(before + 1n);
});

test('a worker with the role devices sends messages, and neither delivers webhooks nor plans broadcasts', async () => {
  const { customer, receiver } = await customerWithWebhook();
  const worker = fixture().startWorker({ roles: ['devices'] });
  const phones = [newPhoneNumber()];
  const broadcast = await startTestBroadcast(fixture(), customer, { deviceIds: [customer.deviceId], phones });
  for (let sent = 0; sent < 5; sent += 1) {
    const id = await fixture().sendOne(customer, { recipient: newPhoneNumber() });
    await fixture().untilStatus(id, 'sent');
  }
  expect(receiver.received).toEqual([]);
  expect(await stateOf(customer, broadcast)).not.toBe('finished');
  expect(await worker.health()).toMatchObject({
    ok: true,
    roles: ['devices'],
    leases: 'renewed',
    devices: { held: 1 },
  });
});

test('workers with disjoint roles do everything together', async () => {
  const { customer, receiver } = await customerWithWebhook();
  fixture().startWorker({ roles: ['devices'] });
  fixture().startWorker({ roles: ['webhooks', 'broadcasts'] });
  const phones = Array.from({ length: 5 }, () => newPhoneNumber());
  const broadcast = await startTestBroadcast(fixture(), customer, { deviceIds: [customer.deviceId], phones });
  await waitUntil(async () => (await stateOf(customer, broadcast)) === 'finished', {
    what: 'the broadcast finishes',
    timeoutMs: 60_000,
  });
  for (const [i, phone] of phones.entries()) await fixture().network.expectTexts(phone, [`Halo Budi ${i}`]);
  await untilTaken(receiver, ['message.accepted', 'message.sent']);
});

test('without Redis a worker is ready unless it holds devices', async () => {
  const workers = (['devices', 'webhooks', 'broadcasts'] as const).map((role) =>
    fixture().startWorker({ roles: [role] }),
  );
  const ready = async () => Promise.all(workers.map(async (worker) => (await worker.health()).ok));
  await waitUntil(async () => (await ready()).every(Boolean), { what: 'all are ready', timeoutMs: 30_000 });
  await fixture().redis.cut();
  await waitUntil(async () => !(await ready())[0], { what: 'the worker with devices is not ready', timeoutMs: 30_000 });
  expect(await ready()).toEqual([false, true, true]);
  await fixture().redis.restore();
});
