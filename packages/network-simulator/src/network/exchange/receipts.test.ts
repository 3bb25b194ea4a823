import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@kurir/network/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { Exchange } from './exchange.js';

const delayMs = 40;

test('a message is delivered before it is read, also after a pause of the process', async () => {
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
  // On a slow machine both may be due before the next look. Then another message is used.
  let first = '';
  for (let n = 1; !first || hear().includes(`${first} read`); n++) {
    first = `3EB01${n}`;
    take(first);
    await waitUntil('it is delivered', () => hear().includes(`${first} delivered`));
  }
  take('3EB02');
  // The reading of the first message is due before the delivery of the second. After the pause, all are due.
  const until = performance.now() + 3 * delayMs;
  while (performance.now() < until);
  await waitUntil('both are read', () => [first, '3EB02'].every((id) => hear().includes(`${id} read`)));
  const of = (id: string) => told.filter((receipt) => receipt.startsWith(`${id} `));
  expect([of(first), of('3EB02')]).toEqual([
    [`${first} delivered`, `${first} read`],
    ['3EB02 delivered', '3EB02 read'],
  ]);
});

test('an older journal is read, in which one entry settles several events', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'journal.jsonl');
  const of = { device_id: 'dev_1', epoch: '1', socket: 1 };
  const message = {
    kind: 'message',
    ...of,
    recipient: '6281300000009',
    from: '6281300000001',
    text: 'Halo',
    repeat: false,
  };
  const entries = [
    { kind: 'link', device_id: 'dev_1', number: '6281300000001', token_sha256: 'a' },
    { ...message, network_message_id: '3EB01' },
    { ...message, network_message_id: '3EB02' },
    { kind: 'settled', device_id: 'dev_1', events: [9, 10, 13] },
  ];
  const at = '2026-11-24T00:00:00.000Z';
  writeFileSync(file, entries.map((entry, i) => `${JSON.stringify({ n: i + 1, at, ...entry })}\n`).join(''));
  const exchange = await Exchange.open(file, delayMs);
  onTestFinished(() => exchange.close());
  const outbox = exchange.state.devices.get('dev_1')?.outbox;
  expect([outbox?.next()?.frame, outbox?.next()]).toEqual([
    { t: 'receipt', n: 14, id: '3EB02', status: 'read' },
    undefined,
  ]);
});
