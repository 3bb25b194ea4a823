/** Stored keys of a WhatsApp device cannot be opened or parsed: only this device stops, with a reason and an instruction. */
import { adviceOf } from '@kurir/contracts';
import { requestUnlink } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { createRecipient, type Recipient } from '@kurir/whatsapp-relay';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCredentialStore } from './credential-store.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture();

let bystander: Customer;
let stranger: Recipient;
beforeAll(async () => {
  [bystander, stranger] = await Promise.all([fixture().customer(), createRecipient(fixture().relay, newPhoneNumber())]);
});
afterAll(() => stranger?.close());

let customer: Customer;
let known: string;
/** Each test has a device that has written to somebody. */
beforeEach(async () => {
  [customer, known] = await Promise.all([fixture().customer(), fixture().recipient()]);
  await fixture().untilStatus(await send(customer, known), 'sent');
});

const send = (from: Customer, recipient: string) => fixture().sendOne(from, { recipient, text: 'Halo' });

type Row = { readonly kind: string; readonly id: string; readonly sealed: Buffer };

const rowsOf = (kind: string) =>
  fixture().query<Row>('SELECT kind, id, sealed FROM device_credentials WHERE device_id = $1 AND kind = $2', [
    customer.deviceId,
    kind,
  ]);

/** Makes rows that cannot be opened, as after a disk fault or under another master key. */
async function makeUnreadable(kind: string): Promise<void> {
  await fixture().query(`UPDATE device_credentials SET sealed = '\\x00' WHERE device_id = $1 AND kind = $2`, [
    customer.deviceId,
    kind,
  ]);
}

/** Makes rows that can be opened, but hold other bytes than the driver wrote. */
async function damage(kind: string): Promise<void> {
  const [lease] = await fixture().query<{ owner: string; epoch: bigint }>(
    'SELECT owner, epoch FROM device_leases WHERE device_id = $1',
    [customer.deviceId],
  );
  if (lease === undefined) throw new Error('nobody holds the device');
  const store = createCredentialStore(fixture().database, fixture().sealer, { deviceId: customer.deviceId, ...lease });
  await store.write((await rowsOf(kind)).map(({ id }) => ({ kind, id, value: Buffer.from('{') })));
}

/** Begins another session, which reads its rows again. */
async function reconnect(): Promise<void> {
  const logins = fixture().logins(customer).length;
  (await fixture().phone(customer)).cut(await fixture().connectionOf(customer), 'reset');
  await waitUntil(() => fixture().logins(customer).length > logins, { what: 'it has logged in again' });
  await fixture().untilState(customer, 'connected');
}

async function untilReason(stateReason: string): Promise<void> {
  await waitUntil(async () => (await fixture().device(customer)).stateReason === stateReason, {
    what: `the device says ${stateReason}`,
  });
}

async function expectOthersGoOn(): Promise<void> {
  await fixture().untilStatus(await send(bystander, known), 'sent');
}

/** Makes the driver read a row of this kind. */
const reads: Readonly<Record<string, () => Promise<unknown>>> = {
  login: async () => (await fixture().phone(customer)).cut(await fixture().connectionOf(customer), 'reset'),
  session: async () => {
    await reconnect();
    await send(customer, known);
  },
  'pre-key': () => stranger.send(customer.number, 'Halo'),
};

const harms = { 'cannot be opened': makeUnreadable, 'is damaged': damage } as const;
const waiting = [
  ['login', 'cannot be opened'],
  ['session', 'cannot be opened'],
  ['session', 'is damaged'],
  ['pre-key', 'cannot be opened'],
  ['pre-key', 'is damaged'],
] as const;

test.for(waiting)(
  'with a %s row that %s the device waits, shows what to do and keeps its link',
  async ([kind, harm]) => {
    const before = (await rowsOf(kind)).length;
    expect(before).toBeGreaterThan(0);
    await harms[harm](kind);
    await reads[kind]?.();
    await untilReason('credentials_unreadable');
    const device = await fixture().device(customer);
    expect(device).toMatchObject({ state: 'connecting', linked: true });
    expect(device.stateUntil?.getTime()).toBeGreaterThan(Date.now());
    expect(adviceOf(device.stateReason, device.stateDetail)).toMatch(/KURIR_MASTER_KEY/);
    expect(await rowsOf(kind)).toHaveLength(before);
    await expectOthersGoOn();
  },
);

test('with a damaged login row the link ends, and a new link sends again', async () => {
  await damage('login');
  await reads['login']?.();
  await untilReason('credentials_invalid');
  const device = await fixture().device(customer);
  expect(device).toMatchObject({ state: 'disconnected', linked: false });
  expect(adviceOf(device.stateReason, device.stateDetail)).toMatch(/Link it again/);
  expect(await fixture().credentials(customer)).toBe(0);
  await expectOthersGoOn();
  await fixture().linkByQr(customer);
  await fixture().untilStatus(await send(customer, known), 'sent');
});

test('a device with unreadable keys can be unlinked, shows that the phone does not know, and can be linked again', async () => {
  await makeUnreadable('login');
  await reads['login']?.();
  await untilReason('credentials_unreadable');
  expect(await requestUnlink(fixture().database, customer.accountId, customer.deviceId)).toBe(true);
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'not_logged_out' });
  expect(await fixture().credentials(customer)).toBe(0);
  await fixture().linkByQr(customer);
  await fixture().untilStatus(await send(customer, known), 'sent');
});

test('once the row is readable again, the next worker connects', async () => {
  const [row] = await rowsOf('login');
  await makeUnreadable('login');
  await reads['login']?.();
  await untilReason('credentials_unreadable');
  await fixture().query('UPDATE device_credentials SET sealed = $2 WHERE device_id = $1 AND kind = $3', [
    customer.deviceId,
    row?.sealed,
    'login',
  ]);
  await fixture().stopWorkers();
  fixture().startWhatsappWorker();
  await fixture().untilState(customer, 'connected');
  await fixture().untilStatus(await send(customer, known), 'sent');
});
