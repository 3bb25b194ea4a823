/** The end of a link erases the keys and releases the lease. The waiting messages fail and cost nothing. */
import { adviceOf, type MessageId } from '@kurir/contracts';
import { beginAccountErasure, readErasureState, requestUnlink } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

async function unlink({ accountId, deviceId }: Customer): Promise<void> {
  expect(await requestUnlink(fixture().database, accountId, deviceId)).toBe(true);
  await wakeOwner(fixture().queue, deviceId);
}

async function expectGone(customer: Customer): Promise<void> {
  expect(await fixture().credentials(customer)).toBe(0);
  await waitUntil(async () => (await fixture().owner(customer.deviceId)) === null, { what: 'the lease is released' });
}

const unlinkedBy = async ({ deviceId }: Customer) =>
  (await fixture().network.journal(deviceId)).flatMap((entry) => (entry.kind === 'unlink' ? [entry.by] : []));

/** Starts a device with a message in flight that the network never answers, and three waiting messages. */
async function startSending(): Promise<{ customer: Customer; sending: MessageId; waiting: MessageId[] }> {
  fixture().startWorker({ ackTimeoutMs: 30_000 });
  const customer = await fixture().customer({ quota: 10 });
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone });
  const [sending = 'msg_', ...waiting] = await fixture().sendTexts(customer, phone, numberedTexts(4));
  await fixture().network.untilFault(customer.deviceId, 'swallow');
  return { customer, sending, waiting };
}

async function expectEnded(customer: Customer, sending: MessageId, waiting: readonly MessageId[]): Promise<void> {
  for (const id of waiting) {
    await fixture().untilStatus(id, 'failed');
    expect(await fixture().message(id)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
  }
  await fixture().untilStatus(sending, 'unknown');
  expect(await fixture().message(sending)).toMatchObject({ reason: 'device_unlinked' });
  expect(await fixture().remainingQuota(customer)).toBe(9);
}

describe('unlinking', () => {
  test('logs out at the network and fails the waiting messages', async () => {
    fixture().startWorker();
    const customer = await fixture().customer({ quota: 20, pacePerMinute: 60 });
    const ids = await fixture().sendTexts(customer, newPhoneNumber(), numberedTexts(20));
    await unlink(customer);
    await fixture().untilState(customer, 'disconnected');
    expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'logged_out' });
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
    const last = ids.at(-1) ?? 'msg_';
    await fixture().untilStatus(last, 'failed');
    expect(await fixture().message(last)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
    const states = await Promise.all(ids.map((id) => fixture().message(id)));
    const failed = states.filter((message) => message.status === 'failed').length;
    expect(states.filter((message) => message.status === 'queued')).toEqual([]);
    expect(failed).toBeGreaterThan(10);
    expect(await fixture().remainingQuota(customer)).toBe(failed);
  });

  test('while the network is unavailable happens when it is back, and nothing is sent until then', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    const phone = newPhoneNumber();
    await fixture().closeNetwork();
    await fixture().untilState(customer, 'connecting');
    const id = await fixture().sendOne(customer, { recipient: phone });
    await unlink(customer);
    await fixture().openNetwork();
    await fixture().untilState(customer, 'disconnected');
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
    await fixture().untilStatus(id, 'failed');
    expect(await fixture().network.texts(phone)).toEqual([]);
  });

  test('needs no Redis', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    await fixture().redis.cut();
    await unlink(customer);
    await fixture().untilState(customer, 'disconnected');
    await fixture().redis.restore();
    expect(await unlinkedBy(customer)).toEqual(['device']);
  });

  test('of a device without a worker happens as soon as a worker takes it', async () => {
    const worker = fixture().startWorker();
    const customer = await fixture().customer();
    await worker.stop();
    await unlink(customer);
    fixture().startWorker();
    await fixture().untilState(customer, 'disconnected');
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
  });

  test('and linking again makes a device that sends', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    await unlink(customer);
    await fixture().untilState(customer, 'disconnected');
    await fixture().askForQr(customer);
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code: await fixture().shownCode(customer) });
    await fixture().untilState(customer, 'connected');
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(3));
    await fixture().network.expectTexts(phone, numberedTexts(3));
  });
});

test('a device that the phone logs out is disconnected, and its message in flight is unknown', async () => {
  const { customer, sending, waiting } = await startSending();
  await fixture().network.fault({ kind: 'logout', device_id: customer.deviceId });
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'logged_out' });
  await expectEnded(customer, sending, waiting);
  await expectGone(customer);
});

test('a device that the network bans shows it, and its message in flight is unknown', async () => {
  const { customer, sending, waiting } = await startSending();
  await fixture().network.fault({ kind: 'ban', device_id: customer.deviceId });
  await fixture().untilState(customer, 'banned');
  expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'banned' });
  await expectEnded(customer, sending, waiting);
  await expectGone(customer);
  expect(await fixture().device(customer)).toMatchObject({ state: 'banned' });
});

describe('if no worker has a driver for the network', () => {
  async function linkedCustomer(quota: number): Promise<Customer> {
    const worker = fixture().startWorker();
    const customer = await fixture().customer({ quota });
    await worker.stop();
    return customer;
  }

  async function untilItSaysSo(customer: Customer): Promise<void> {
    await waitUntil(async () => (await fixture().device(customer)).stateReason === 'no_driver', {
      what: 'the device says why',
    });
  }

  test('a device shows it, keeps its link and waits; it sends once a worker has one', async () => {
    const customer = await linkedCustomer(1);
    let ends = 0;
    const next = () => {
      ends++;
      return 0;
    };
    const reconnectDelay = () => ({ next, connected: () => undefined });
    const { supervisor, stop } = fixture().openSupervisor({ drivers: { simulator: null }, reconnectDelay });
    await supervisor.renew();
    await supervisor.balance();
    await untilItSaysSo(customer);
    const device = await fixture().device(customer);
    expect(device).toMatchObject({ state: 'connecting', linked: true });
    expect(device.stateUntil?.getTime()).toBeGreaterThan(Date.now() + 60_000);
    expect(adviceOf(device.stateReason, device.stateDetail)).toMatch(/KURIR_SIMULATOR_URL/);
    for (let round = 0; round < 50; round++) await supervisor.reconcile();
    expect(ends).toBe(1);
    expect(await fixture().device(customer)).toEqual(device);
    const phone = newPhoneNumber();
    await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
    await stop();
    fixture().startWorker();
    await fixture().network.expectTexts(phone, ['Halo']);
  });

  test.each(['before', 'after'])('a device can be unlinked %s it shows that', async (when) => {
    const customer = await linkedCustomer(3);
    const waiting = await fixture().sendOne(customer, { recipient: newPhoneNumber() });
    if (when === 'before') await unlink(customer);
    fixture().startWorker({ drivers: { simulator: null } });
    if (when === 'after') {
      await untilItSaysSo(customer);
      await unlink(customer);
    }
    await fixture().untilState(customer, 'disconnected');
    expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'not_logged_out' });
    await expectGone(customer);
    await fixture().untilStatus(waiting, 'failed');
    expect(await fixture().message(waiting)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
    expect(await fixture().remainingQuota(customer)).toBe(3);
  });
});

test('a message that was accepted during the unlinking fails and costs nothing', async () => {
  const worker = fixture().startWorker();
  const customer = await fixture().customer({ quota: 3 });
  await worker.stop();
  const id = await fixture().sendOne(customer, { recipient: newPhoneNumber() });
  await fixture().forgetDevices();
  fixture().startWorker();
  await fixture().untilStatus(id, 'failed');
  expect(await fixture().remainingQuota(customer)).toBe(3);
});

test('an account that is being erased has its device logged out at the network; the sweep then erases the rest', async () => {
  fixture().startWorker();
  const customer = await fixture().customer({ quota: 5 });
  const { database } = fixture();
  const { accountId } = customer;
  await beginAccountErasure(database, accountId, { accountId, actor: 'admin', action: 'account.erased' });
  // Until then, an api may still know a key of the account.
  await database.pool.query(`UPDATE accounts SET erasure_begun_at = now() - interval '1 minute' WHERE id = $1`, [
    accountId,
  ]);
  const isErased = async () => (await readErasureState(database, accountId)) === 'erased';
  await waitUntil(isErased, { what: 'the account is erased', timeoutMs: 30_000 });
  expect(await unlinkedBy(customer)).toEqual(['device']);
  expect(await fixture().credentials(customer)).toBe(0);
});
