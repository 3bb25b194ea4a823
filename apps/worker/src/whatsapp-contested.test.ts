/** Two that hold one device's credentials: each login takes the other's place, until one of them stops and waits for a person. */
import { requestReconnect, requestUnlink } from '@kurir/database';
import { createRecipient } from '@kurir/whatsapp-relay';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from './testing/customers.js';
import { useWhatsappBench, type WhatsappBench } from './testing/whatsapp-bench.js';

const bench = useWhatsappBench({ worker: false });

/** Another login with its credentials, as the network tells it, so often. */
async function replace(customer: Customer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const logins = bench().logins(customer).length;
    const phone = await bench().phone(customer);
    await waitUntil(() => phone.devices().some(({ connected }) => connected), { what: 'the device is connected' });
    phone.endStream(await bench().connectionOf(customer), 'replaced');
    const hasSeen = async () =>
      bench().logins(customer).length > logins || (await bench().device(customer)).stateReason === 'contested';
    await waitUntil(hasSeen, { what: 'the worker has seen it' });
  }
}

const reasonOf = async (at: WhatsappBench, customer: Customer) => (await at.device(customer)).stateReason;

test('a device that is replaced three times stops; what waits stays, and goes out when a person has it connected', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  const bystander = await bench().customer();
  const reader = await createRecipient(bench().relay, '4915200000077');
  const sendAt = new Date(Date.now() + 3_000);
  const waiting = await bench().sendOne(customer, { recipient: reader.number, text: 'Halo', sendAt });
  await replace(customer, 3);
  expect(await bench().device(customer)).toMatchObject({ state: 'connecting', stateReason: 'contested', linked: true });
  const logins = bench().logins(customer).length;
  await waitUntil(() => Date.now() > sendAt.getTime(), { what: 'the message is due' });
  await bench().passRound(bystander);
  expect(await bench().message(waiting)).toMatchObject({ status: 'queued', attempts: 0 });

  await worker.stop();
  const next = bench().startWhatsappWorker();
  await waitUntil(() => bench().owner(customer.deviceId), { what: 'the next worker holds it' });
  await bench().passRound(await bench().customer());
  expect(await reasonOf(bench(), customer)).toBe('contested');
  expect(bench().logins(customer)).toHaveLength(logins);

  expect(await requestReconnect(bench().database, customer.accountId, customer.deviceId)).toBe(true);
  await bench().untilState(customer, 'connected');
  await bench().untilStatus(waiting, 'sent');
  await waitUntil(() => reader.inbox.some(({ text }) => text === 'Halo'), { what: 'it is read' });
  await replace(customer, 1);
  await bench().untilState(customer, 'connected');
  await reader.close();
  await next.stop();
});

test('a contested device is unlinked at the network when a person wants that', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  await replace(customer, 3);
  expect(await reasonOf(bench(), customer)).toBe('contested');
  await requestUnlink(bench().database, customer.accountId, customer.deviceId);
  await bench().untilState(customer, 'disconnected');
  expect((await bench().phone(customer)).devices()).toEqual([]);
  await worker.stop();
});

/** As a restored backup: everything that another database holds of the device. */
async function copyDevice({ accountId, deviceId }: Customer, to: WhatsappBench): Promise<void> {
  const tables = [
    ['accounts', 'id', accountId],
    ['devices', 'id', deviceId],
    ['device_leases', 'device_id', deviceId],
    ['device_credentials', 'device_id', deviceId],
  ] as const;
  for (const [table, column, id] of tables) {
    const rows = await bench().query<{ row: object }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = $1`,
      [id],
    );
    for (const { row } of rows)
      await to.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`, [
        JSON.stringify(row),
      ]);
  }
}

test('of two copies of one database one goes on with the device, and the other says that it is contested', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  const copy = await bench().openAnother();
  try {
    await copyDevice(customer, copy);
    await copy.query(`UPDATE device_leases SET owner = NULL, expires_at = now()`);
    copy.startWhatsappWorker();
    const both = [bench(), copy];
    const reasons = () => Promise.all(both.map((each) => reasonOf(each, customer)));
    await waitUntil(async () => (await reasons()).includes('contested'), { what: 'one of them gives up' });
    const winner = (await reasonOf(copy, customer)) === 'contested' ? bench() : copy;
    await winner.untilState(customer, 'connected');
    expect((await reasons()).filter((reason) => reason === 'contested')).toHaveLength(1);
  } finally {
    await copy.stopWorkers();
    await copy.close();
    await worker.stop();
  }
});
