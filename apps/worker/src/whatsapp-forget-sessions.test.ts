/** A restored backup, through the worker: what it rolled back is forgotten before the device connects, once, whatever dies. */
import { readIntents, requestForgetSessions } from '@kurir/database';
import { CredentialsUnreadable, type Driver } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { createRecipient, type Recipient } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import type { Customer } from './testing/customers.js';
import { useWhatsappBench } from './testing/whatsapp-bench.js';

const bench = useWhatsappBench({ worker: false });

let numbers = 4915200000500;

const reader = (): Promise<Recipient> => createRecipient(bench().relay, String((numbers += 1)));

async function exchange(customer: Customer, person: Recipient, text: string): Promise<void> {
  await bench().sendOne(customer, { recipient: person.number, text });
  await waitUntil(() => person.inbox.some((message) => message.text === text), { what: 'it is read' });
  const since = bench().relay.journal.position;
  await person.send(customer.number, 'Halo juga');
  const acknowledged = () => bench().relay.journal.of('receipt', { from: customer.number, since }).length > 0;
  await waitUntil(acknowledged, { what: 'the answer is taken' });
}

const retries = (person: Recipient, since: number) =>
  bench().relay.journal.counters({ from: person.number, since }).retryReceipts;

async function isAsked({ deviceId }: Customer): Promise<boolean> {
  return (await readIntents(bench().database, [deviceId]))[0]?.forgetSessionsAt !== null;
}

const untilForgotten = (customer: Customer) =>
  waitUntil(async () => !(await isAsked(customer)), { what: 'the sessions are forgotten' });

const sessionRows = async ({ deviceId }: Customer) =>
  bench().query(`SELECT id FROM device_credentials WHERE device_id = $1 AND kind = 'session'`, [deviceId]);

test('keys of a restored backup are forgotten before the device connects, and the next message is read at once', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  await bench().query('CREATE TABLE backup AS SELECT * FROM device_credentials');
  for (const text of ['two', 'three', 'four']) await exchange(customer, person, text);
  await worker.stop();
  await bench().query(`WITH gone AS (DELETE FROM device_credentials) SELECT 1`);
  await bench().query('INSERT INTO device_credentials SELECT * FROM backup');

  expect(await requestForgetSessions(bench().database, { accountId: customer.accountId })).toHaveLength(1);
  const since = bench().relay.journal.position;
  const next = bench().startWhatsappWorker();
  await bench().untilState(customer, 'connected');
  expect(await isAsked(customer)).toBe(false);
  await exchange(customer, person, 'five');
  expect(retries(person, since)).toBe(0);
  await person.close();
  await next.stop();
});

test('a device that is connected takes a new session for it, once, and goes on sending', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  const logins = bench().logins(customer).length;
  const before = await sessionRows(customer);
  expect(before.length).toBeGreaterThan(0);
  for (let i = 0; i < 2; i++) await requestForgetSessions(bench().database, { deviceId: customer.deviceId });
  await untilForgotten(customer);
  await bench().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  await bench().passRound(await bench().customer());
  expect(bench().logins(customer)).toHaveLength(logins + 1);
  await person.close();
  await worker.stop();
});

test('a worker that dies in the middle leaves the wish, and no session begins before it is carried out', async () => {
  let died = 0;
  const dying = (driver: Driver): Driver => ({
    ...driver,
    forgetSessions: async (credentials) => {
      if (died++ > 1) return driver.forgetSessions?.(credentials);
      await credentials.eraseKinds(['session']);
      throw new Error('the database went away');
    },
  });
  const worker = bench().startWhatsappWorker({ wrapDriver: dying });
  const customer = await bench().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  const logins = bench().logins(customer).length;
  await requestForgetSessions(bench().database, { deviceId: customer.deviceId });
  await waitUntil(() => died > 0, { what: 'it died once' });
  expect(await isAsked(customer)).toBe(true);
  expect(bench().logins(customer)).toHaveLength(logins);
  await untilForgotten(customer);
  await bench().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  expect(died).toBe(3);
  await person.close();
  await worker.stop();
});

test('credentials that cannot be read are said as such and lose nothing; readable again, the wish is carried out', async () => {
  const worker = bench().startWhatsappWorker();
  const customer = await bench().customer();
  const person = await reader();
  await exchange(customer, person, 'one');
  await worker.stop();
  const login = `device_id = $1 AND kind = 'login'`;
  const [kept] = await bench().query<{ sealed: Buffer }>(`SELECT sealed FROM device_credentials WHERE ${login}`, [
    customer.deviceId,
  ]);
  await bench().query(`UPDATE device_credentials SET sealed = '\\x00' WHERE ${login}`, [customer.deviceId]);
  await requestForgetSessions(bench().database, { deviceId: customer.deviceId });

  const without = bench().startWhatsappWorker();
  const saysSo = async () => (await bench().device(customer)).stateReason === 'credentials_unreadable';
  await waitUntil(saysSo, { what: 'it says that it cannot read them' });
  await without.stop();
  expect(await isAsked(customer)).toBe(true);
  expect((await sessionRows(customer)).length).toBeGreaterThan(0);

  await bench().query(`UPDATE device_credentials SET sealed = $2 WHERE ${login}`, [customer.deviceId, kept?.sealed]);
  const next = bench().startWhatsappWorker();
  await untilForgotten(customer);
  await bench().untilState(customer, 'connected');
  await exchange(customer, person, 'two');
  await person.close();
  await next.stop();
});

test('a wish that was put off does not take the device from one session to the next', async () => {
  const puttingOff = (driver: Driver): Driver => ({
    ...driver,
    forgetSessions: async () => {
      throw new CredentialsUnreadable('a row');
    },
  });
  const worker = bench().startWhatsappWorker({ wrapDriver: puttingOff });
  const customer = await bench().customer();
  const logins = bench().logins(customer).length;
  await requestForgetSessions(bench().database, { deviceId: customer.deviceId });
  await waitUntil(() => bench().logins(customer).length > logins, { what: 'it logs in again' });
  await bench().untilState(customer, 'connected');
  await bench().passRound(await bench().customer());
  expect(bench().logins(customer)).toHaveLength(logins + 1);
  expect(await isAsked(customer)).toBe(true);
  await worker.stop();
});
