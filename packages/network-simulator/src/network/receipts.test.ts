import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/network/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { Exchange } from './exchange.js';

const delayMs = 40;

test('a message is delivered before it is read, also after a moment in which the process stood still', async () => {
  const exchange = await Exchange.open(undefined, delayMs);
  onTestFinished(() => exchange.close());
  const from = '6281300000001';
  const { device } = exchange.link('dev_1', from);
  const take = (id: string) =>
    exchange.record({
      kind: 'message',
      device_id: device.deviceId,
      epoch: '1',
      socket: 1,
      network_message_id: id,
      recipient: '6281300000009',
      from,
      text: 'Halo',
      repeat: false,
    });
  take('3EB01');
  await sleep(1.2 * delayMs);
  take('3EB02');
  // The first one's reading is due before the second one's delivery, and then all of them are.
  const until = performance.now() + 3 * delayMs;
  while (performance.now() < until);
  const told: string[] = [];
  await waitUntil('all receipts are due', () => {
    for (let event = device.outbox.next(); event; event = device.outbox.next())
      if (event.frame.t === 'receipt') told.push(`${event.frame.id} ${event.frame.status}`);
    return told.length === 4;
  });
  const of = (id: string) => told.filter((receipt) => receipt.startsWith(id));
  expect([...of('3EB01'), ...of('3EB02')]).toEqual(['3EB01 delivered', '3EB01 read', '3EB02 delivered', '3EB02 read']);
});
