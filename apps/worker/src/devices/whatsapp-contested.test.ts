/** Two workers have the credentials of one device. Each login replaces the other, until one worker stops and waits for a person. */
import { requestReconnect, requestUnlink } from '@kurir/database';
import { createRecipient } from '@kurir/whatsapp-relay';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { useWhatsappFixture, type WhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture({ worker: false });

/** Makes the network report so many times that another login replaced this one. */
async function replace(customer: Customer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const logins = fixture().logins(customer).length;
    const phone = await fixture().phone(customer);
    await waitUntil(() => phone.devices().some(({ connected }) => connected), { what: 'the device is connected' });
    phone.endStream(await fixture().connectionOf(customer), 'replaced');
    const hasSeen = async () =>
      fixture().logins(customer).length > logins || (await fixture().device(customer)).stateReason === 'contested';
    await waitUntil(hasSeen, { what: 'the worker has seen it' });
  }
}

const reasonOf = async (at: WhatsappFixture, customer: Customer) => (await at.device(customer)).stateReason;

test('a device that is replaced three times stops; its messages wait until a person connects it again', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  const bystander = await fixture().customer();
  const reader = await createRecipient(fixture().relay, '4915200000077');
  const sendAt = new Date(Date.now() + 3_000);
  const waiting = await fixture().sendOne(customer, { recipient: reader.number, text: 'Halo', sendAt });
  await replace(customer, 3);
  expect(await fixture().device(customer)).toMatchObject({
    state: 'connecting',
    stateReason: 'contested',
    linked: true,
  });
  const logins = fixture().logins(customer).length;
  await waitUntil(() => Date.now() > sendAt.getTime(), { what: 'the message is due' });
  await fixture().passRound(bystander);
  expect(await fixture().message(waiting)).toMatchObject({ status: 'queued', attempts: 0 });

  await worker.stop();
  const next = fixture().startWhatsappWorker();
  await waitUntil(() => fixture().owner(customer.deviceId), { what: 'the next worker holds it' });
  await fixture().passRound(await fixture().customer());
  expect(await reasonOf(fixture(), customer)).toBe('contested');
  expect(fixture().logins(customer)).toHaveLength(logins);

  expect(await requestReconnect(fixture().database, customer.accountId, customer.deviceId)).toBe(true);
  await fixture().untilState(customer, 'connected');
  await fixture().untilStatus(waiting, 'sent');
  await waitUntil(() => reader.inbox.some(({ text }) => text === 'Halo'), { what: 'it is read' });
  await replace(customer, 1);
  await fixture().untilState(customer, 'connected');
  await reader.close();
  await next.stop();
});

test('a person can unlink a contested device at the network', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  await replace(customer, 3);
  expect(await reasonOf(fixture(), customer)).toBe('contested');
  await requestUnlink(fixture().database, customer.accountId, customer.deviceId);
  await fixture().untilState(customer, 'disconnected');
  expect((await fixture().phone(customer)).devices()).toEqual([]);
  await worker.stop();
});

/** Copies all rows of the device to another database, as a restored backup has them. */
async function copyDevice({ accountId, deviceId }: Customer, to: WhatsappFixture): Promise<void> {
  const tables = [
    ['accounts', 'id', accountId],
    ['devices', 'id', deviceId],
    ['device_leases', 'device_id', deviceId],
    ['device_credentials', 'device_id', deviceId],
  ] as const;
  for (const [table, column, id] of tables) {
    const rows = await fixture().query<{ row: object }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = $1`,
      [id],
    );
    for (const { row } of rows)
      await to.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`, [
        JSON.stringify(row),
      ]);
  }
}

test('one of two copies of a database keeps the device, and the other shows that it is contested', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  const copy = await fixture().openAnother();
  try {
    await copyDevice(customer, copy);
    await copy.query(`UPDATE device_leases SET owner = NULL, expires_at = now() - interval '2 ms'`);
    copy.startWhatsappWorker();
    const both = [fixture(), copy];
    const reasons = () => Promise.all(both.map((each) => reasonOf(each, customer)));
    await waitUntil(async () => (await reasons()).includes('contested'), { what: 'one of them gives up' });
    const winner = (await reasonOf(copy, customer)) === 'contested' ? fixture() : copy;
    await winner.untilState(customer, 'connected');
    expect((await reasons()).filter((reason) => reason === 'contested')).toHaveLength(1);
  } finally {
    await copy.stopWorkers();
    await copy.close();
    await worker.stop();
  }
});
