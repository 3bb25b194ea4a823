/** The end of a link, whoever ends it: keys erased, lease given back, what waited has failed and costs nothing. */
import type { MessageId } from '@kurir/contracts';
import { requestUnlink } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

async function unlink({ accountId, deviceId }: Customer): Promise<void> {
  expect(await requestUnlink(bench().database, accountId, deviceId)).toBe(true);
  await wakeHolder(bench().queue, deviceId);
}

async function expectGone(customer: Customer): Promise<void> {
  expect(await bench().credentials(customer)).toBe(0);
  await waitUntil(async () => (await bench().owner(customer.deviceId)) === null, { what: 'the lease is given back' });
}

const unlinkedBy = async ({ deviceId }: Customer) =>
  (await bench().network.journal(deviceId)).flatMap((entry) => (entry.kind === 'unlink' ? [entry.by] : []));

/** A device with one message that is being sent and never answered, and three that wait behind it. */
async function startSending(): Promise<{ customer: Customer; sending: MessageId; waiting: MessageId[] }> {
  bench().startWorker({ ackTimeoutMs: 30_000 });
  const customer = await bench().customer({ quota: 10 });
  const phone = newPhoneNumber();
  await bench().network.fault({ kind: 'swallow', recipient: phone });
  const [sending = 'msg_', ...waiting] = await bench().sendTexts(customer, phone, numberedTexts(4));
  await bench().untilStatus(sending, 'sending');
  return { customer, sending, waiting };
}

async function expectEnded(customer: Customer, sending: MessageId, waiting: readonly MessageId[]): Promise<void> {
  for (const id of waiting) {
    await bench().untilStatus(id, 'failed');
    expect(await bench().message(id)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
  }
  await bench().untilStatus(sending, 'unknown');
  expect(await bench().message(sending)).toMatchObject({ reason: 'device_unlinked' });
  expect(await bench().remainingQuota(customer)).toBe(9);
}

describe('unlinking', () => {
  test('logs out at the network and ends what waits', async () => {
    bench().startWorker();
    const customer = await bench().customer({ quota: 20, pacePerMinute: 60 });
    const ids = await bench().sendTexts(customer, newPhoneNumber(), numberedTexts(20));
    await unlink(customer);
    await bench().untilState(customer, 'disconnected');
    expect(await bench().device(customer)).toMatchObject({ linked: false, stateReason: 'logged_out' });
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
    const last = ids.at(-1) ?? 'msg_';
    await bench().untilStatus(last, 'failed');
    expect(await bench().message(last)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
    const states = await Promise.all(ids.map((id) => bench().message(id)));
    const failed = states.filter((message) => message.status === 'failed').length;
    expect(states.filter((message) => message.status === 'queued')).toEqual([]);
    expect(failed).toBeGreaterThan(10);
    expect(await bench().remainingQuota(customer)).toBe(failed);
  });

  test('while the network is away happens when it is back, and nothing is sent in between', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    const phone = newPhoneNumber();
    await bench().closeNetwork();
    await bench().untilState(customer, 'connecting');
    const id = await bench().sendOne(customer, { recipient: phone });
    await unlink(customer);
    await bench().openNetwork();
    await bench().untilState(customer, 'disconnected');
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
    await bench().untilStatus(id, 'failed');
    expect(await bench().network.texts(phone)).toEqual([]);
  });

  test('while Redis is away happens all the same', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    await bench().redis.cut();
    await unlink(customer);
    await bench().untilState(customer, 'disconnected', 5_000);
    await bench().redis.restore();
    expect(await unlinkedBy(customer)).toEqual(['device']);
  });

  test('of a device that no worker holds happens as soon as one does', async () => {
    const worker = bench().startWorker();
    const customer = await bench().customer();
    await worker.stop();
    await unlink(customer);
    bench().startWorker();
    await bench().untilState(customer, 'disconnected');
    expect(await unlinkedBy(customer)).toEqual(['device']);
    await expectGone(customer);
  });

  test('and linking again gives a device that sends', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    await unlink(customer);
    await bench().untilState(customer, 'disconnected');
    await bench().askForQr(customer);
    await bench().network.ask(`/phones/${customer.number}/scan`, { code: await bench().shownCode(customer) });
    await bench().untilState(customer, 'connected');
    const phone = newPhoneNumber();
    await bench().sendTexts(customer, phone, numberedTexts(3));
    await bench().network.expectTexts(phone, numberedTexts(3));
  });
});

test('a device that the phone logs out is disconnected; what was being sent is unknown', async () => {
  const { customer, sending, waiting } = await startSending();
  await bench().network.fault({ kind: 'logout', device_id: customer.deviceId });
  await bench().untilState(customer, 'disconnected');
  expect(await bench().device(customer)).toMatchObject({ linked: false, stateReason: 'logged_out' });
  await expectEnded(customer, sending, waiting);
  await expectGone(customer);
});

test('a device that the network bans says so; what was being sent is unknown', async () => {
  const { customer, sending, waiting } = await startSending();
  await bench().network.fault({ kind: 'ban', device_id: customer.deviceId });
  await bench().untilState(customer, 'banned');
  expect(await bench().device(customer)).toMatchObject({ linked: false, stateReason: 'banned' });
  await expectEnded(customer, sending, waiting);
  await expectGone(customer);
  expect(await bench().device(customer)).toMatchObject({ state: 'banned' });
});

test('a message whose acceptance raced with the unlinking fails and costs nothing', async () => {
  const worker = bench().startWorker();
  const customer = await bench().customer({ quota: 3 });
  await worker.stop();
  const id = await bench().sendOne(customer, { recipient: newPhoneNumber() });
  await bench().forgetDevices();
  bench().startWorker();
  await bench().untilStatus(id, 'failed');
  expect(await bench().remainingQuota(customer)).toBe(3);
});
