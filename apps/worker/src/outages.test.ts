/** Postgres or Redis becomes unavailable in mid-send: all accepted messages arrive once, in order. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { RunningWorker } from './start-worker.js';
import { useWorkerFixture } from '../test/worker-fixture.js';
import type { Customer } from '../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../test/network.js';

const fixture = useWorkerFixture();
const count = 50;

type Sending = {
  readonly worker: RunningWorker;
  readonly customer: Customer;
  readonly phone: string;
  readonly ids: readonly MessageId[];
};

/** Starts a device that sends a backlog. Without a pace, its network acknowledges late, so that the backlog lasts. */
async function startSending(pacePerMinute: number | null = 3_000): Promise<Sending> {
  const worker = fixture().startWorker();
  const customer = await fixture().customer({ pacePerMinute });
  const phone = newPhoneNumber();
  if (pacePerMinute === null)
    await fixture().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 40, count });
  const ids = await fixture().sendTexts(customer, phone, numberedTexts(count));
  await fixture().network.untilTexts(phone, 10);
  return { worker, customer, phone, ids };
}

async function expectAllRead({ phone, ids }: Sending): Promise<void> {
  await fixture().network.expectTexts(phone, numberedTexts(count));
  for (const id of ids) await fixture().untilStatus(id, 'read');
}

describe.each([
  ['of a device with a pace', 3_000],
  ['of a device without a pace', null],
])('Postgres, in mid-send %s,', (_what, pacePerMinute) => {
  test('unavailable for a moment: then the rest goes out, and the outcomes of the meantime are stored', async () => {
    const sending = await startSending(pacePerMinute);
    await fixture().postgres.cut();
    await waitUntil(async () => (await sending.worker.health()).database === 'down', { what: 'the worker notices' });
    await fixture().postgres.restore();
    await expectAllRead(sending);
  });

  test('breaking all connections again and again: no message is lost', async () => {
    const sending = await startSending(pacePerMinute);
    for (const sent of [15, 25, 35]) {
      await fixture().network.untilTexts(sending.phone, sent);
      await fixture().breakConnections();
    }
    await expectAllRead(sending);
  });
});

describe('Redis', () => {
  test('unavailable for a moment: then the rest goes out', async () => {
    const sending = await startSending();
    await fixture().redis.cut();
    await fixture().accept(sending.customer, [{ recipient: sending.phone, text: `text ${count}` }]);
    await fixture().redis.restore();
    await fixture().network.expectTexts(sending.phone, numberedTexts(count + 1));
  });

  test('wiped: Postgres brings its tickets back', async () => {
    const sending = await startSending();
    expect(await fixture().wipeRedis()).toBeGreaterThan(10);
    await fixture().network.untilTexts(sending.phone, 30);
    await fixture().wipeRedis();
    await expectAllRead(sending);
  });

  test('unavailable while a worker starts: the device connects, and the messages go out when Redis is back', async () => {
    const { worker, customer, phone } = await startSending();
    await worker.stop();
    await fixture().redis.cut();
    fixture().startWorker();
    await fixture().untilState(customer, 'connected');
    await fixture().redis.restore();
    await fixture().network.expectTexts(phone, numberedTexts(count));
  });

  test('unavailable while a worker stops: the worker still releases its devices', async () => {
    const { customer, phone } = await startSending();
    await fixture().redis.cut();
    const before = performance.now();
    await fixture().stopWorkers();
    expect(performance.now() - before).toBeLessThan(9_000);
    expect(await fixture().owner(customer.deviceId)).toBeNull();
    await fixture().redis.restore();
    fixture().startWorker();
    await fixture().network.expectTexts(phone, numberedTexts(count));
  });
});
