/** The settings of a device that a customer changes: pace, typing and proxy. And the rows that its driver reads. */
import { textContent } from '@kurir/contracts';
import { changeDevice } from '@kurir/database';
import { CredentialsUnreadable } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { Customer, CustomerOptions } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';
import { WatchedConnections } from '../../test/watched-connections.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { createCredentialStore } from './credential-store.js';

const fixture = useWorkerFixture();

async function start(options: CustomerOptions = {}): Promise<{ connections: WatchedConnections; customer: Customer }> {
  const connections = new WatchedConnections();
  fixture().startWorker({ wrapDriver: connections.wrap });
  return { connections, customer: await fixture().customer(options) };
}

test('the driver can read a sent text again, for a receiver that lost its keys', async () => {
  const { connections, customer } = await start();
  const phone = newPhoneNumber();
  await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
  await fixture().network.expectTexts(phone, ['Halo']);
  const [{ network_message_id: id } = { network_message_id: '' }] = await fixture().network.inbox(phone);
  expect(await connections.newest.readMessage?.(id)).toEqual({ recipient: phone, content: textContent('Halo') });
  expect(await connections.newest.readMessage?.('3EB0FFFFFFFFFFFFFFFFFF')).toBeNull();
});

test('a device that types before its texts shows typing, and then the text arrives', async () => {
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

test('a pace that is removed during a backlog no longer counts at once', async () => {
  const { customer } = await start({ pacePerMinute: 1 });
  const { accountId, deviceId } = customer;
  const phone = newPhoneNumber();
  await fixture().sendTexts(customer, phone, numberedTexts(30));
  await fixture().network.untilTexts(phone, 1);
  await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { pacePerMinute: null });
  await fixture().network.expectTexts(phone, numberedTexts(30));
});

describe('a proxy', () => {
  test('reaches the driver unsealed', async () => {
    const { connections, customer } = await start();
    const { accountId, deviceId } = customer;
    const url = 'socks5://user:secret@127.0.0.1:1080';
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: url });
    await waitUntil(() => connections.newest.proxyUrl === url, { what: 'a new connection goes through it' });
    const { length } = connections.all;
    await fixture().untilState(customer, 'connected');
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: null, typingMs: 10 });
    await waitUntil(() => connections.all.length > length, { what: 'another one goes without it' });
    expect(connections.newest.proxyUrl).toBeUndefined();
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(3));
    await fixture().network.expectTexts(phone, numberedTexts(3));
  });

  test('that changes in mid-send loses, repeats and reorders no message', async () => {
    const { customer } = await start();
    const { accountId, deviceId } = customer;
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(60));
    await fixture().network.untilTexts(phone, 5);
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { proxyUrl: 'http://127.0.0.1:1' });
    await fixture().network.expectTexts(phone, numberedTexts(60));
  });

  test('that cannot be opened stops only its device, with a reason, and nothing connects around it', async () => {
    const { connections, customer } = await start();
    const other = await fixture().customer();
    await fixture().query(`UPDATE devices SET proxy_sealed = '\\x00' WHERE id = $1`, [customer.deviceId]);
    await fixture().stopWorkers();
    const before = connections.all.length;
    fixture().startWorker({ wrapDriver: connections.wrap });
    await fixture().untilState(other, 'connected');
    await waitUntil(async () => (await fixture().device(customer)).stateReason === 'proxy_unreadable', {
      what: 'the device says why',
    });
    expect((await fixture().device(customer)).linked).toBe(true);
    const phone = newPhoneNumber();
    await fixture().sendOne(other, { recipient: phone, text: 'Halo' });
    await fixture().network.expectTexts(phone, ['Halo']);
    const since = connections.all.slice(before).map(({ deviceId }) => deviceId);
    expect(since).not.toContain(customer.deviceId);
  });
});

test('a credential row that cannot be opened rejects with `CredentialsUnreadable`', async () => {
  const { customer } = await start();
  await fixture().query(`UPDATE device_credentials SET sealed = '\\x00' WHERE device_id = $1`, [customer.deviceId]);
  const [row] = await fixture().query<{ kind: string; id: string }>(
    'SELECT kind, id FROM device_credentials WHERE device_id = $1 LIMIT 1',
    [customer.deviceId],
  );
  const token = { deviceId: customer.deviceId, owner: 'wrk_0', epoch: 1n };
  const store = createCredentialStore(fixture().database, fixture().sealer, token);
  await expect(store.read(row?.kind ?? '', [row?.id ?? ''])).rejects.toBeInstanceOf(CredentialsUnreadable);
});
