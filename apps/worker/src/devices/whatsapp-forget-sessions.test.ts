/** After a restored backup, a device forgets its outdated sessions once before it connects, even if a worker dies meanwhile. */
import { readIntents, requestForgetSessions } from '@kurir/database';
import { CredentialsUnreadable, type Driver } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { createRecipient, type Recipient } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture({ worker: false });

let numbers = 4915200000500;

const reader = (): Promise<Recipient> => createRecipient(fixture().relay, String((numbers += 1)));

async function exchange(customer: Customer, person: Recipient, text: string): Promise<void> {
  await fixture().sendOne(customer, { recipient: person.number, text });
  await waitUntil(() => person.inbox.some((message) => message.text === text), { what: 'it is read' });
  const since = fixture().relay.journal.position;
  await person.send(customer.number, 'Halo juga');
  const acknowledged = () => fixture().relay.journal.of('receipt', { from: customer.number, since }).length > 0;
  await waitUntil(acknowledged, { what: 'the answer is taken' });
}

const retries = (person: Recipient, since: number) =>
  fixture().relay.journal.counters({ from: person.number, since }).retryReceipts;

async function isAsked({ deviceId }: Customer): Promise<boolean> {
  return (await readIntents(fixture().database, [deviceId]))[0]?.forgetSessionsAt !== null;
}

const untilForgotten = (customer: Customer) =>
  waitUntil(async () => !(await isAsked(customer)), { what: 'the sessions are forgotten' });

const sessionRows = async ({ deviceId }: Customer) =>
  fixture().query(`SELECT id FROM device_credentials WHERE device_id = $1 AND kind = 'session'`, [deviceId]);

test('the keys of a restored backup are forgotten before the device connects, and the next message can be read at once', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  await fixture().query('CREATE TABLE backup AS SELECT * FROM device_credentials');
  for (const text of ['two', 'three', 'four']) await exchange(customer, person, text);
  await worker.stop();
  await fixture().query(`WITH gone AS (DELETE FROM device_credentials) SELECT 1`);
  await fixture().query('INSERT INTO device_credentials SELECT * FROM backup');

  expect(await requestForgetSessions(fixture().database, { accountId: customer.accountId })).toHaveLength(1);
  const since = fixture().relay.journal.position;
  const next = fixture().startWhatsappWorker();
  await fixture().untilState(customer, 'connected');
  expect(await isAsked(customer)).toBe(false);
  await exchange(customer, person, 'five');
  expect(retries(person, since)).toBe(0);
  await person.close();
  await next.stop();
});

test('a connected device reconnects once to forget its sessions, and goes on sending', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  const logins = fixture().logins(customer).length;
  const before = await sessionRows(customer);
  expect(before.length).toBeGreaterThan(0);
  for (let i = 0; i < 2; i++) await requestForgetSessions(fixture().database, { deviceId: customer.deviceId });
  await untilForgotten(customer);
  await fixture().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  await fixture().passRound(await fixture().customer());
  expect(fixture().logins(customer)).toHaveLength(logins + 1);
  await person.close();
  await worker.stop();
});

test('a worker that dies meanwhile leaves the request, and no session begins before it is done', async () => {
  let died = 0;
  const dying = (driver: Driver): Driver => ({
    ...driver,
    forgetSessions: async (credentials) => {
      if (died++ > 1) return driver.forgetSessions?.(credentials);
      await credentials.eraseKinds(['session']);
      throw new Error('the database went away');
    },
  });
  const worker = fixture().startWhatsappWorker({ wrapDriver: dying });
  const customer = await fixture().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  const logins = fixture().logins(customer).length;
  await requestForgetSessions(fixture().database, { deviceId: customer.deviceId });
  await waitUntil(() => died > 0, { what: 'it died once' });
  expect(await isAsked(customer)).toBe(true);
  expect(fixture().logins(customer)).toHaveLength(logins);
  await untilForgotten(customer);
  await fixture().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  expect(died).toBe(3);
  await person.close();
  await worker.stop();
});

test('a device with unreadable credentials shows it and loses nothing; once they are readable, the request is done', async () => {
  const worker = fixture().startWhatsappWorker();
  const customer = await fixture().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  await worker.stop();
  const login = `device_id = $1 AND kind = 'login'`;
  const [kept] = await fixture().query<{ sealed: Buffer }>(`SELECT sealed FROM device_credentials WHERE ${login}`, [
    customer.deviceId,
  ]);
  await fixture().query(`UPDATE device_credentials SET sealed = '\\x00' WHERE ${login}`, [customer.deviceId]);
  await requestForgetSessions(fixture().database, { deviceId: customer.deviceId });

  const without = fixture().startWhatsappWorker();
  const saysSo = async () => (await fixture().device(customer)).stateReason === 'credentials_unreadable';
  await waitUntil(saysSo, { what: 'it says that it cannot read them' });
  await without.stop();
  expect(await isAsked(customer)).toBe(true);
  expect((await sessionRows(customer)).length).toBeGreaterThan(0);

  await fixture().query(`UPDATE device_credentials SET sealed = $2 WHERE ${login}`, [customer.deviceId, kept?.sealed]);
  const next = fixture().startWhatsappWorker();
  await untilForgotten(customer);
  await fixture().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  await person.close();
  await next.stop();
});

test('a request that was put off makes the device reconnect only once', async () => {
  const puttingOff = (driver: Driver): Driver => ({
    ...driver,
    forgetSessions: async () => {
      throw new CredentialsUnreadable('a row');
    },
  });
  const worker = fixture().startWhatsappWorker({ wrapDriver: puttingOff });
  const customer = await fixture().customer();
  const logins = fixture().logins(customer).length;
  await requestForgetSessions(fixture().database, { deviceId: customer.deviceId });
  await waitUntil(() => fixture().logins(customer).length > logins, { what: 'it logs in again' });
  await fixture().untilState(customer, 'connected');
  await fixture().passRound(await fixture().customer());
  expect(fixture().logins(customer)).toHaveLength(logins + 1);
  expect(await isAsked(customer)).toBe(true);
  await worker.stop();
});
