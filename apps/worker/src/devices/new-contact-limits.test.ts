/** Messages to new contacts, while the network or the customer limits them. */
import { changeDevice } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Customer, CustomerOptions } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { WatchedConnections } from '../../test/watched-connections.js';
import { useWorkerFixture, type WorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();

async function start(options: CustomerOptions = {}): Promise<{ connections: WatchedConnections; customer: Customer }> {
  const connections = new WatchedConnections();
  fixture().startWorker({ wrapDriver: connections.wrap });
  return { connections, customer: await fixture().customer(options) };
}

/** Deletes the contacts of the device, and begins another connection. */
async function forgetContacts(connections: WatchedConnections, { deviceId }: Customer): Promise<void> {
  await fixture().stopWorkers();
  await fixture().query('DELETE FROM device_contacts WHERE device_id = $1', [deviceId]);
  const before = connections.all.length;
  fixture().startWorker({ wrapDriver: connections.wrap });
  await waitUntil(() => connections.all.length > before, { what: 'the device connects anew' });
}

const untilBlocked = (at: WorkerFixture, { deviceId }: Customer) =>
  waitUntil(
    async () =>
      (await at.query('SELECT 1 FROM devices WHERE id = $1 AND new_contacts_blocked_until > now()', [deviceId]))
        .length === 1,
    { what: 'the limit is stored' },
  );

async function block({
  connections,
  customer,
}: {
  connections: WatchedConnections;
  customer: Customer;
}): Promise<void> {
  const blockedUntil = new Date(Date.now() + 3_600_000);
  const newChatQuota = { used: 9, total: 10, resetsAt: blockedUntil };
  connections.newest.events.limits?.({ newContacts: { blockedUntil, reason: 'strangers' }, newChatQuota });
  await untilBlocked(fixture(), customer);
}

describe('while the network forbids new contacts', () => {
  test('known contacts still get their messages; those to new contacts wait until the network lifts the limit', async () => {
    const { connections, customer } = await start();
    const [known, writer, stranger] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    await fixture().untilStatus(await fixture().sendOne(customer, { recipient: known, text: 'first' }), 'read');
    await block({ connections, customer });
    await connections.newest.events.inbound({
      kind: 'message',
      networkMessageId: 'A1',
      chat: { id: writer, type: 'direct' },
      person: { userId: writer, phone: writer, username: null, name: null },
      content: { type: 'text', text: 'Halo' },
      replyTo: null,
      forwarded: false,
      offline: false,
      sentAt: new Date(),
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
    connections.newest.events.limits?.({ newContacts: 'allowed', newChatQuota: null });
    await fixture().network.expectTexts(stranger, ['later']);
  });

  test('a late acknowledgement makes a contact too', async () => {
    const { connections, customer } = await start();
    const phone = newPhoneNumber();
    const id = await fixture().sendOne(customer, { recipient: phone, text: 'first' });
    await fixture().untilStatus(id, 'read');
    await forgetContacts(connections, customer);
    const [sent] = await fixture().query<{ network_message_id: string }>(
      'SELECT network_message_id FROM messages WHERE id = $1',
      [id],
    );
    await connections.newest.events.acknowledged({ networkMessageId: sent?.network_message_id ?? '' });
    await block({ connections, customer });
    await fixture().sendOne(customer, { recipient: phone, text: 'second' });
    await fixture().network.expectTexts(phone, ['first', 'second']);
  });
});

test('a broadcast writes to no more new contacts than the device may in a day, and to all known contacts', async () => {
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

test('between two new contacts of an automatic device the lane sends to known contacts and one-time codes, and then the next new contact', async () => {
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
  // Ends the pause.
  await fixture().query(`UPDATE device_health SET next_new_contact_at = now() - interval '1 second'`);
  await fixture().network.expectTexts(second, ['later']);
});

test('the recipient of an unanswered message counts as a contact, because the message may have gone out', async () => {
  const { customer } = await start();
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 9 });
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient: phone, text: 'lost' }), 'unknown');
  expect(await isNoted(customer, phone)).toBe(true);
});

/** Makes Postgres refuse so many times to store a contact, as if it were unavailable. */
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

test('no message becomes sent before its contact is stored, even if Postgres is unavailable several times', async () => {
  const { customer } = await start();
  const phone = newPhoneNumber();
  await refuseContacts(customer, 2);
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
  await fixture().untilStatus(id, 'sent');
  expect(await isNoted(customer, phone)).toBe(true);
  await fixture().network.expectTexts(phone, ['Halo']);
});

test('a late acknowledgement is not stored before the contact is', async () => {
  const { connections, customer } = await start();
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 9 });
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'lost' });
  await fixture().untilStatus(id, 'unknown');
  await forgetContacts(connections, customer);
  await refuseContacts(customer, 1);
  const [sent] = await fixture().query<{ network_message_id: string }>(
    'SELECT network_message_id FROM messages WHERE id = $1',
    [id],
  );
  await connections.newest.events.acknowledged({ networkMessageId: sent?.network_message_id ?? '' });
  expect([(await fixture().message(id)).status, await isNoted(customer, phone)]).toEqual(['sent', true]);
});

test('the recipient of a message that an earlier owner left without an answer counts as a contact when it is given up', async () => {
  const connections = new WatchedConnections();
  const first = fixture().startWorker({ wrapDriver: connections.wrap });
  const customer = await fixture().customer();
  await first.stop();
  const phone = newPhoneNumber();
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'lost' });
  await fixture().query(
    `UPDATE messages SET status = 'sending', attempts = 3, unanswered = 2, epoch = 0 WHERE id = $1`,
    [id],
  );
  fixture().startWorker({ wrapDriver: connections.wrap });
  await fixture().untilStatus(id, 'unknown');
  expect(await isNoted(customer, phone)).toBe(true);
});
