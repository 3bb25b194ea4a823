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
  const told: string[] = [];
  const hear = () => {
    for (let event = device.outbox.next(); event; event = device.outbox.next())
      if (event.frame.t === 'receipt') told.push(`${event.frame.id} ${event.frame.status}`);
    return told;
  };
  // On a slow machine both may be due by the next look: then another one.
  let first = '';
  for (let n = 1; !first || hear().includes(`${first} read`); n++) {
    first = `3EB01${n}`;
    take(first);
    await waitUntil('it is delivered', () => hear().includes(`${first} delivered`));
  }
  take('3EB02');
  // The first one's reading is due before the second one's delivery, and then all of them are.
  const until = performance.now() + 3 * delayMs;
  while (performance.now() < until);
  await waitUntil('both are read', () => [first, '3EB02'].every((id) => hear().includes(`${id} read`)));
  const of = (id: string) => told.filter((receipt) => receipt.startsWith(`${id} `));
  expect([of(first), of('3EB02')]).toEqual([
    [`${first} delivered`, `${first} read`],
    ['3EB02 delivered', '3EB02 read'],
  ]);
});
