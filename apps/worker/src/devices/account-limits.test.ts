/** A network that limits its accounts, and what a customer sets so that it does not. */
import { textContent } from '@kurir/contracts';
import { changeDevice } from '@kurir/database';
import { type ConnectOptions, CredentialsUnreadable, type Driver } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCredentialStore } from './credential-store.js';
import { type WorkerFixture, useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer, CustomerOptions } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

/** The simulator, whose connections the test sees: what the network says about limits, the test says. */
class LimitingNetwork {
  readonly connections: ConnectOptions[] = [];

  readonly wrap = (driver: Driver): Driver => ({
    ...driver,
    connect: (options) => {
      this.connections.push(options);
      return driver.connect(options);
    },
  });

  get connection(): ConnectOptions {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('nothing has connected');
    return last;
  }
}

async function start(options: CustomerOptions = {}): Promise<{ network: LimitingNetwork; customer: Customer }> {
  const network = new LimitingNetwork();
  fixture().startWorker({ wrapDriver: network.wrap });
  return { network, customer: await fixture().customer(options) };
}

/** The device has noted nobody, and another connection of it has begun. */
async function forgetContacts(network: LimitingNetwork, { deviceId }: Customer): Promise<void> {
  await fixture().stopWorkers();
  await fixture().query('DELETE FROM device_contacts WHERE device_id = $1', [deviceId]);
  const before = network.connections.length;
  fixture().startWorker({ wrapDriver: network.wrap });
  await waitUntil(() => network.connections.length > before, { what: 'the device connects anew' });
}

const untilBlocked = (at: WorkerFixture, { deviceId }: Customer) =>
  waitUntil(
    async () =>
      (await at.query('SELECT 1 FROM devices WHERE id = $1 AND new_contacts_blocked_until > now()', [deviceId]))
        .length === 1,
    { what: 'the limit is stored' },
  );

async function block({ network, customer }: { network: LimitingNetwork; customer: Customer }): Promise<void> {
  const blockedUntil = new Date(Date.now() + 3_600_000);
  const newChatQuota = { used: 9, total: 10, resetsAt: blockedUntil };
  network.connection.events.limits?.({ newContacts: { blockedUntil, reason: 'strangers' }, newChatQuota });
  await untilBlocked(fixture(), customer);
}

describe('while the network forbids new contacts', () => {
  test('whom the device wrote to, and who wrote, still get theirs; strangers wait until it is lifted', async () => {
    const { network, customer } = await start();
    const [known, writer, stranger] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    await fixture().untilStatus(await fixture().sendOne(customer, { recipient: known, text: 'first' }), 'read');
    await block({ network, customer });
    await network.connection.events.inbound({
      networkMessageId: 'A1',
      from: writer,
      text: 'Halo',
      receivedAt: new Date(),
    });
    const [waiting = 'msg_'] = await fixture().send(customer, [
      { recipient: stranger, text: 'later' },
      { recipient: known, text: 'second' },
      { recipient: writer, text: 'answer' },
    ]);
    await fixture().network.expectTexts(known, ['first', 'second']);
    await fixture().network.expectTexts(writer, ['answer']);
    expect(await fixture().network.texts(stranger)).toEqual([]);
    expect(await fixture().message(waiting)).toMatchObject({ status: 'queued', attempts: 0 });
    network.connection.events.limits?.({ newContacts: 'allowed', newChatQuota: null });
    await fixture().network.expectTexts(stranger, ['later']);
  });

  test('what the network took late makes a contact too', async () => {
    const { network, customer } = await start();
    const phone = newPhoneNumber();
    const id = await fixture().sendOne(customer, { recipient: phone, text: 'first' });
    await fixture().untilStatus(id, 'read');
    await forgetContacts(network, customer);
    const [sent] = await fixture().query<{ network_message_id: string }>(
      'SELECT network_message_id FROM messages WHERE id = $1',
      [id],
    );
    await network.connection.events.acknowledged({ networkMessageId: sent?.network_message_id ?? '' });
    await block({ network, customer });
    await fixture().sendOne(customer, { recipient: phone, text: 'second' });
    await fixture().network.expectTexts(phone, ['first', 'second']);
  });
});

test('a broadcast writes to no more strangers than the device may in a day, and still to all whom it knows', async () => {
  const { customer } = await start();
  const { accountId, deviceId } = customer;
  const known = newPhoneNumber();
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient: known, text: 'first' }), 'read');
  await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { newContactsPerDay: 3 });
  const strangers = Array.from({ length: 8 }, newPhoneNumber);
  const ids = await fixture().send(
    customer,
    [...strangers, known].map((recipient) => ({ recipient, text: 'broadcast', priority: 'bulk' as const })),
  );
  await fixture().network.expectTexts(known, ['first', 'broadcast']);
  const texts = await Promise.all(strangers.map((stranger) => fixture().network.texts(stranger)));
  expect(texts.map((those) => those.length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
  for (const id of ids.slice(2, -1))
    expect(await fixture().message(id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('between two new contacts of an automatic device the lane goes on with whom it knows and with codes, and takes the next one up by itself', async () => {
  const { customer } = await start();
  const { accountId, deviceId } = customer;
  await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { newContactsPerDay: 'automatic' });
  const [first, second, owner] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient: first, text: 'hello' }), 'read');
  const [waiting = 'msg_'] = await fixture().send(customer, [
    { recipient: second, text: 'later', priority: 'bulk' },
    { recipient: first, text: 'again', priority: 'bulk' },
    { recipient: owner, text: '123456', priority: 'otp' },
  ]);
  await fixture().network.expectTexts(owner, ['123456']);
  await fixture().network.expectTexts(first, ['hello', 'again']);
  expect(await fixture().message(waiting)).toMatchObject({ status: 'queued', attempts: 0 });
  // As if the pause were over.
  await fixture().query(`UPDATE device_health SET next_new_contact_at = now() - interval '1 second'`);
  await fixture().network.expectTexts(second, ['later']);
});

test('what got no answer counts as written to: it may have gone out', async () => {
  const { customer } = await start();
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 9 });
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient: phone, text: 'lost' }), 'unknown');
  expect(await isNoted(customer, phone)).toBe(true);
});

/** Postgres is away for the first so many tries to store somebody new whom the device writes to. */
async function refuseContacts({ deviceId }: Customer, times: number): Promise<void> {
  await fixture().query(`CREATE SEQUENCE refusals`);
  await fixture().query(`CREATE FUNCTION refuse_contact() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('refusals') <= ${times} THEN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END IF;
    RETURN NEW; END $$`);
  await fixture().query(`CREATE TRIGGER refuse_contact BEFORE INSERT ON device_contacts
    FOR EACH ROW WHEN (NEW.device_id = '${deviceId}') EXECUTE FUNCTION refuse_contact()`);
  onTestFinished(async () => {
    await fixture().query('DROP FUNCTION refuse_contact CASCADE');
    await fixture().query('DROP SEQUENCE refusals');
  });
}

const isNoted = async ({ deviceId }: Customer, recipient: string) =>
  (
    await fixture().query('SELECT 1 FROM device_contacts WHERE device_id = $1 AND recipient = $2', [
      deviceId,
      recipient,
    ])
  ).length === 1;

test('no message is sent before its contact is stored, however often Postgres is away for that', async () => {
  const { customer } = await start();
  const phone = newPhoneNumber();
  await refuseContacts(customer, 2);
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
  await fixture().untilStatus(id, 'sent');
  expect(await isNoted(customer, phone)).toBe(true);
  await fixture().network.expectTexts(phone, ['Halo']);
});

test('a late acknowledgement is not stored before the contact is', async () => {
  const { customer, network } = await start();
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 9 });
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'lost' });
  await fixture().untilStatus(id, 'unknown');
  await forgetContacts(network, customer);
  await refuseContacts(customer, 1);
  const [sent] = await fixture().query<{ network_message_id: string }>(
    'SELECT network_message_id FROM messages WHERE id = $1',
    [id],
  );
  await network.connection.events.acknowledged({ networkMessageId: sent?.network_message_id ?? '' });
  expect([(await fixture().message(id)).status, await isNoted(customer, phone)]).toEqual(['sent', true]);
});

test('what an earlier owner left and had all its tries counts as written to when it is given up', async () => {
  const network = new LimitingNetwork();
  const first = fixture().startWorker({ wrapDriver: network.wrap });
  const customer = await fixture().customer();
  await first.stop();
  const phone = newPhoneNumber();
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'lost' });
  await fixture().query(
    `UPDATE messages SET status = 'sending', attempts = 3, unanswered = 2, epoch = 0 WHERE id = $1`,
    [id],
  );
  fixture().startWorker({ wrapDriver: network.wrap });
  await fixture().untilStatus(id, 'unknown');
  expect(await isNoted(customer, phone)).toBe(true);
});

test('a receiver that lost its keys can be given the text again', async () => {
  const { network, customer } = await start();
  const phone = newPhoneNumber();
  await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
  await fixture().network.expectTexts(phone, ['Halo']);
  const [{ network_message_id: id } = { network_message_id: '' }] = await fixture().network.inbox(phone);
  expect(await network.connection.readMessage?.(id)).toEqual({ recipient: phone, content: textContent('Halo') });
  expect(await network.connection.readMessage?.('3EB0FFFFFFFFFFFFFFFFFF')).toBeNull();
});

test('a device that types before its texts is seen typing, and the text comes', async () => {
  const { customer } = await start();
  const { accountId, deviceId } = customer;
  await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { typingMs: 50 });
  const phone = newPhoneNumber();
  await waitUntil(
    async () => {
      await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
      return (await fixture().network.typing(phone)).some(({ action }) => action === 'start');
    },
    { what: 'typing is seen' },
  );
  await fixture().network.untilTexts(phone, 1);
});

test('a pace that is taken away in the middle of a backlog counts at once', async () => {
  const { customer } = await start({ pacePerMinute: 1 });
  const { accountId, deviceId } = customer;
  const phone = newPhoneNumber();
  await fixture().sendTexts(customer, phone, numberedTexts(30));
  await fixture().network.untilTexts(phone, 1);
  await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { pacePerMinute: null });
  await fixture().network.expectTexts(phone, numberedTexts(30));
});

describe('a proxy', () => {
  test('is handed to the driver, opened', async () => {
    const { network, customer } = await start();
    const { accountId, deviceId } = customer;
    const url = 'socks5://user:secret@127.0.0.1:1080';
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: url });
    await waitUntil(() => network.connection.proxyUrl === url, { what: 'a new connection goes through it' });
    const { length } = network.connections;
    await fixture().untilState(customer, 'connected');
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: null, typingMs: 10 });
    await waitUntil(() => network.connections.length > length, { what: 'another one goes without it' });
    expect(network.connection.proxyUrl).toBeUndefined();
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(3));
    await fixture().network.expectTexts(phone, numberedTexts(3));
  });

  test('that changes in mid-send loses, doubles and reorders nothing', async () => {
    const { customer } = await start();
    const { accountId, deviceId } = customer;
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(60));
    await fixture().network.untilTexts(phone, 5);
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: 'http://127.0.0.1:1' });
    await fixture().network.expectTexts(phone, numberedTexts(60));
  });

  test('that cannot be opened stops its device alone, with a reason, and is not gone around', async () => {
    const { network, customer } = await start();
    const other = await fixture().customer();
    await fixture().query(`UPDATE devices SET proxy_sealed = '\\x00' WHERE id = $1`, [customer.deviceId]);
    await fixture().stopWorkers();
    const before = network.connections.length;
    fixture().startWorker({ wrapDriver: network.wrap });
    await fixture().untilState(other, 'connected');
    await waitUntil(async () => (await fixture().device(customer)).stateReason === 'proxy_unreadable', {
      what: 'the device says why',
    });
    expect((await fixture().device(customer)).linked).toBe(true);
    const phone = newPhoneNumber();
    await fixture().sendOne(other, { recipient: phone, text: 'Halo' });
    await fixture().network.expectTexts(phone, ['Halo']);
    const since = network.connections.slice(before).map(({ deviceId }) => deviceId);
    expect(since).not.toContain(customer.deviceId);
  });
});

test('a credential row that cannot be opened is told to the driver in its own word', async () => {
  const { customer } = await start();
  await fixture().query(`UPDATE device_credentials SET sealed = '\\x00' WHERE device_id = $1`, [customer.deviceId]);
  const [row] = await fixture().query<{ kind: string; id: string }>(
    'SELECT kind, id FROM device_credentials WHERE device_id = $1 LIMIT 1',
    [customer.deviceId],
  );
  const holder = { deviceId: customer.deviceId, owner: 'wrk_0', epoch: 1n };
  const store = createCredentialStore(fixture().database, fixture().sealer, holder);
  await expect(store.read(row?.kind ?? '', [row?.id ?? ''])).rejects.toBeInstanceOf(CredentialsUnreadable);
});
