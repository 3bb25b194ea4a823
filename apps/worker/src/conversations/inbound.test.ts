/** Messages of people on their way from the network to the log, while things die in between. */
import type { Driver, InboundReport } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();

/** A person writes to the device. Returns the network's id of the message. */
async function write({ number: to }: Customer, body: object): Promise<string> {
  const answer = await fixture().network.ask<{ network_message_id: string }>(`/phones/${newPhoneNumber()}/messages`, {
    to,
    ...body,
  });
  return answer.network_message_id;
}

const stored = ({ deviceId }: Customer) =>
  fixture().query<{ kind: string; network_message_id: string; told: number }>(
    `SELECT i.kind, i.network_message_id, (SELECT count(*)::int FROM events e WHERE e.state = i.id) AS told
     FROM inbound_messages i WHERE i.device_id = $1 ORDER BY i.id`,
    [deviceId],
  );

const until = (customer: Customer, count: number) =>
  waitUntil(async () => (await stored(customer)).length >= count, { what: `${count} messages are stored` });

type Handler = (report: InboundReport, handle: () => Promise<unknown>) => Promise<unknown>;

const withHandler =
  (handler: Handler) =>
  (driver: Driver): Driver => ({
    ...driver,
    connect: (options) =>
      driver.connect({
        ...options,
        events: {
          ...options.events,
          inbound: (report) => handler(report, () => options.events.inbound(report)),
        },
      }),
  });

test.each([
  ['before the commit', false],
  ['between commit and acknowledgement', true],
])('a message whose handling dies %s is stored once, and told once', async (_, commits) => {
  const seen = new Set<string>();
  const dying: Handler = async ({ networkMessageId }, handle) => {
    if (seen.has(networkMessageId)) return handle();
    seen.add(networkMessageId);
    if (commits) await handle();
    throw new Error('killed');
  };
  fixture().startWorker({ wrapDriver: withHandler(dying) });
  const customer = await fixture().customer();
  const ids: string[] = [];
  for (let i = 0; i < 50; i++) ids.push(await write(customer, { text: `Halo ${i}` }));
  await waitUntil(() => seen.size === ids.length, { what: 'each message died once' });
  await fixture().network.fault({ kind: 'restart', device_id: customer.deviceId });
  await until(customer, ids.length);
  // A message after all repeats: when it is stored, they were handled.
  const last = await write(customer, { text: 'the last' });
  await waitUntil(() => seen.has(last), { what: 'the last one came' });
  const rows = await stored(customer);
  expect(
    rows
      .map(({ network_message_id }) => network_message_id)
      .filter((id) => id !== last)
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(rows.every(({ told }) => told === 1)).toBe(true);
});

test('reports arrive while Postgres is away, and are stored when it is back', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  await write(customer, { text: 'before' });
  await until(customer, 1);
  await fixture().postgres.cut();
  const ids = await Promise.all([0, 1, 2].map((i) => write(customer, { text: `while ${i}` })));
  await fixture().postgres.restore();
  await until(customer, 1 + ids.length);
  expect((await stored(customer)).every(({ told }) => told === 1)).toBe(true);
});

test('a group counts only while the device takes groups', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  await write(customer, { text: 'nobody hears it', group: 'g1' });
  await write(customer, { text: 'direct' });
  await until(customer, 1);
  await fixture().query(`UPDATE devices SET "groups" = 'all' WHERE id = $1`, [customer.deviceId]);
  await waitUntil(
    async () => {
      await write(customer, { text: 'heard', group: 'g1' });
      return (await stored(customer)).length > 1;
    },
    { what: 'the worker takes groups', everyMs: 300 },
  );
});
