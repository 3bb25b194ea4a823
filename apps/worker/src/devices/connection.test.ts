/** Connections break in mid-send: no message is lost or shown twice, and the order stays. */
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

async function start(): Promise<{ customer: Customer; phone: string }> {
  fixture().startWorker();
  return { customer: await fixture().customer(), phone: newPhoneNumber() };
}

/** Expects that the device sent everything under its first lease. */
async function expectSameLease({ deviceId }: Customer): Promise<void> {
  const rows = await fixture().query<{ epoch: bigint }>('SELECT epoch FROM device_leases WHERE device_id = $1', [
    deviceId,
  ]);
  expect(rows).toEqual([{ epoch: 1n }]);
}

const logins = async ({ deviceId }: Customer) =>
  (await fixture().network.journal(deviceId)).filter((entry) => entry.kind === 'login');

async function copies(phone: string): Promise<number> {
  const inbox = await fixture().network.inbox(phone);
  return inbox.reduce((sum, entry) => sum + entry.copies, 0);
}

describe('a connection that is reset', () => {
  test('before the network took the message: it goes out on the next connection', async () => {
    const { customer, phone } = await start();
    await fixture().network.fault({ kind: 'reset_before_take', recipient: phone, count: 2 });
    const [first = 'msg_'] = await fixture().sendTexts(customer, phone, numberedTexts(20));
    await fixture().network.expectTexts(phone, numberedTexts(20));
    expect(await copies(phone)).toBe(0);
    expect(await logins(customer)).toHaveLength(3);
    await expectSameLease(customer);
    // Nothing refused the message, so it never went back to the queue.
    await fixture().untilStatus(first, 'read');
    expect((await fixture().timeline(customer, first)).filter((status) => status === 'queued')).toHaveLength(1);
    expect(await fixture().message(first)).toMatchObject({ attempts: 3, unanswered: 2 });
  });

  test('after the network took the message: the phone shows it once', async () => {
    const { customer, phone } = await start();
    await fixture().network.fault({ kind: 'reset_after_take', recipient: phone });
    const ids = await fixture().sendTexts(customer, phone, numberedTexts(20));
    await fixture().network.expectTexts(phone, numberedTexts(20));
    await Promise.all(ids.map((id) => fixture().untilStatus(id, 'read')));
    expect(await copies(phone)).toBeLessThanOrEqual(1);
    await expectSameLease(customer);
  });
});

test('a network that restarts in mid-send gets the rest afterwards', async () => {
  const { customer, phone } = await start();
  await fixture().sendTexts(customer, phone, numberedTexts(60));
  await fixture().network.untilTexts(phone, 5);
  await fixture().closeNetwork();
  await fixture().untilState(customer, 'connecting');
  await fixture().openNetwork();
  await fixture().network.expectTexts(phone, numberedTexts(60));
  await expectSameLease(customer);
});

test('a connection that another one replaced connects again while the worker has the lease', async () => {
  const { customer, phone } = await start();
  await fixture().sendTexts(customer, phone, numberedTexts(60));
  for (const sent of [5, 30]) {
    await fixture().network.untilTexts(phone, sent);
    await fixture().network.fault({ kind: 'conflict', device_id: customer.deviceId });
  }
  await fixture().network.expectTexts(phone, numberedTexts(60));
  await expectSameLease(customer);
});

test('the device connects again if the network asks for a restart', async () => {
  const { customer, phone } = await start();
  await fixture().network.fault({ kind: 'restart', device_id: customer.deviceId });
  await fixture().sendTexts(customer, phone, numberedTexts(5));
  await fixture().network.expectTexts(phone, numberedTexts(5));
});

test('the device waits for the end of a temporary ban, and then sends its messages', async () => {
  const { customer, phone } = await start();
  const until = Date.now() + 2_000;
  await fixture().network.fault({ kind: 'temporary_ban', device_id: customer.deviceId, until_ms: until });
  await fixture().untilState(customer, 'connecting');
  expect(await fixture().device(customer)).toMatchObject({ stateReason: 'temporarily_banned', linked: true });
  await fixture().sendTexts(customer, phone, numberedTexts(5));
  await fixture().network.expectTexts(phone, numberedTexts(5));
  expect(Date.now()).toBeGreaterThanOrEqual(until);
  expect(await logins(customer)).toHaveLength(2);
  await fixture().untilState(customer, 'connected');
});

test('a login that is refused for the moment is tried again until it succeeds', async () => {
  const { customer, phone } = await start();
  await fixture().network.fault({ kind: 'refuse_login', device_id: customer.deviceId, count: 2 });
  await fixture().network.fault({ kind: 'restart', device_id: customer.deviceId });
  await fixture().sendTexts(customer, phone, numberedTexts(3));
  await fixture().network.expectTexts(phone, numberedTexts(3));
  await waitUntil(async () => (await logins(customer)).length === 2, { what: 'it is logged in again' });
});
