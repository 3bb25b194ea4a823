/** Postgres or Redis goes away in mid-send: everything that was accepted arrives once, in order. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { RunningWorker } from './start-worker.js';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();
const count = 50;

type Sending = {
  readonly worker: RunningWorker;
  readonly customer: Customer;
  readonly phone: string;
  readonly ids: readonly MessageId[];
};

/** A device in the middle of a backlog: with a pace, or without one on a network that answers late. */
async function startSending(pacePerMinute: number | null = 3_000): Promise<Sending> {
  const worker = bench().startWorker();
  const customer = await bench().customer({ pacePerMinute });
  const phone = newPhoneNumber();
  if (pacePerMinute === null) await bench().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 40, count });
  const ids = await bench().sendTexts(customer, phone, numberedTexts(count));
  await bench().network.untilTexts(phone, 10);
  return { worker, customer, phone, ids };
}

async function expectAllRead({ phone, ids }: Sending): Promise<void> {
  await bench().network.expectTexts(phone, numberedTexts(count));
  for (const id of ids) await bench().untilStatus(id, 'read');
}

describe.each([
  ['of a device with a pace', 3_000],
  ['of a device without a pace', null],
])('Postgres, in mid-send %s,', (_what, pacePerMinute) => {
  test('away for a moment: the rest goes out when it is back, and what happened meanwhile is recorded', async () => {
    const sending = await startSending(pacePerMinute);
    await bench().postgres.cut();
    await waitUntil(
      () =>
        sending.worker.check().then(
          () => false,
          () => true,
        ),
      { what: 'the worker notices' },
    );
    await bench().postgres.restore();
    await expectAllRead(sending);
  });

  test('breaking every connection, again and again, costs no message', async () => {
    const sending = await startSending(pacePerMinute);
    for (const sent of [15, 25, 35]) {
      await bench().network.untilTexts(sending.phone, sent);
      await bench().breakConnections();
    }
    await expectAllRead(sending);
  });
});

describe('Redis', () => {
  test('away for a moment: the rest goes out when it is back', async () => {
    const sending = await startSending();
    await bench().redis.cut();
    await bench().accept(sending.customer, [{ recipient: sending.phone, text: `text ${count}` }]);
    await bench().redis.restore();
    await bench().network.expectTexts(sending.phone, numberedTexts(count + 1));
  });

  test('wiped: what waited there is put back from Postgres', async () => {
    const sending = await startSending();
    expect(await bench().wipeRedis()).toBeGreaterThan(10);
    await bench().network.untilTexts(sending.phone, 30);
    await bench().wipeRedis();
    await expectAllRead(sending);
  });

  test('away while a worker starts: the device connects, and what was accepted goes out when Redis is there', async () => {
    const { worker, customer, phone } = await startSending();
    await worker.stop();
    await bench().redis.cut();
    bench().startWorker();
    await bench().untilState(customer, 'connected');
    await bench().redis.restore();
    await bench().network.expectTexts(phone, numberedTexts(count));
  });

  test('away while a worker stops: its devices are handed over all the same', async () => {
    const { customer, phone } = await startSending();
    await bench().redis.cut();
    const before = performance.now();
    await bench().stopWorkers();
    expect(performance.now() - before).toBeLessThan(9_000);
    expect(await bench().owner(customer.deviceId)).toBeNull();
    await bench().redis.restore();
    bench().startWorker();
    await bench().network.expectTexts(phone, numberedTexts(count));
  });
});
