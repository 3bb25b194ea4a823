/** Tests of whole workers with audiences. */
import { newId } from '@kurir/contracts';
import { startBroadcast } from '@kurir/database/broadcasts';
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { AudienceFixture, everybody } from '../../test/audience-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { startPlanning } from './start-planning.js';

const fixture = useWorkerFixture();
const audiences = new AudienceFixture(fixture);

const rowsOf = (count: number) =>
  `HP;Nama\n${Array.from({ length: count }, (_none, i) => `0812${String(10_000_000 + i)};n${i}`).join('\n')}\n`;

test('two workers share the audiences of two accounts, and each row is planned once', async () => {
  fixture().startWorker();
  const customers = [await fixture().customer(), await fixture().customer()];
  fixture().startWorker();
  const broadcasts = await Promise.all(
    customers.flatMap((customer) => [5_000, 5_001].map((count) => audiences.ofFile(customer, rowsOf(count)))),
  );
  const read = () => Promise.all(broadcasts.map((one) => audiences.read(one)));
  await waitUntil(async () => (await read()).every(({ state }) => state !== 'checking'), { what: 'all are planned' });
  expect((await read()).map(({ state, recipients }) => [state, recipients])).toEqual(
    [5_000, 5_001, 5_000, 5_001].map((count) => ['ready', count]),
  );
  for (const broadcast of broadcasts)
    expect((await audiences.list(broadcast)).filter((line) => line.includes('duplicate'))).toEqual([]);
});

test('a worker that stops in the middle gives its audience back, and another one ends it', async () => {
  const first = fixture().startWorker();
  const customer = await fixture().customer();
  const broadcast = await audiences.ofFile(customer, rowsOf(30_000));
  await waitUntil(async () => (await audiences.read(broadcast)).recipients > 0, { what: 'the first batch is planned' });
  await first.stop();
  fixture().startWorker();
  await waitUntil(async () => (await audiences.read(broadcast)).state !== 'checking', { what: 'the list is planned' });
  expect(await audiences.read(broadcast)).toMatchObject({ state: 'ready', recipients: 30_000 });
  expect((await audiences.list(broadcast)).filter((line) => line.includes('duplicate'))).toEqual([]);
});

test('contacts that take too long keep no other account waiting, and are given up with advice', async () => {
  const worker = fixture().startWorker();
  const [slow, other] = [await fixture().customer(), await fixture().customer()];
  await worker.stop();
  const { database, accountKeys } = fixture();
  let counts = 0;
  const lists = {
    query(text: string, values: readonly unknown[]) {
      if (!text.includes('FROM contacts c') || values[0] !== slow.accountId)
        return database.lists.query(text, [...values]);
      counts += 1;
      return Promise.reject(new Error('Query read timeout'));
    },
  };
  const stuck = await audiences.create(slow, { filter: everybody });
  // Planning calls nothing else of these connections.
  const slowed = { ...database, lists: lists as typeof database.lists };
  const log = createLogger({ name: 'test', level: 'silent', pretty: false });
  const stop = startPlanning({ owner: newId('wrk'), database: slowed, accountKeys, log });
  try {
    await waitUntil(() => counts >= 2, { what: 'the contacts are counted twice' });
    const file = await audiences.ofFile(other, rowsOf(3));
    await waitUntil(async () => (await audiences.read(file)).state === 'ready', { what: 'the other list is planned' });
    expect((await audiences.read(stuck)).state).toBe('checking');
    await waitUntil(async () => (await audiences.read(stuck)).state === 'cancelled', { what: 'the list is given up' });
  } finally {
    await stop();
  }
  expect(await audiences.read(stuck)).toMatchObject({ audienceProblem: { code: 'too_slow', row: null } });
  expect(counts).toBe(5);
});

test('the people of a file get their own texts', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  const phones = [newPhoneNumber(), newPhoneNumber()];
  const file = `HP;Nama\n${phones.map((phone, i) => `+${phone};Budi ${i}`).join('\n')}\n6.28E+12;Siti`;
  const broadcast = await audiences.ofFile(customer, file);
  await waitUntil(async () => (await audiences.read(broadcast)).state === 'ready', { what: 'the list is planned' });
  const whose = { id: broadcast.id, accountId: customer.accountId };
  expect(await startBroadcast(fixture().database, whose, true, undefined)).toEqual({ kind: 'done' });
  await waitUntil(async () => (await audiences.read(broadcast)).state === 'finished', {
    what: 'the broadcast finishes',
    timeoutMs: 60_000,
  });
  for (const [i, phone] of phones.entries())
    expect((await fixture().network.inbox(phone)).map(({ text }) => text)).toEqual([`Halo Budi ${i}`]);
});
