/** One held device: its lane, its link and its intent, when things happen in the wrong order. */
import { createAccount, readIntents } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { DeviceHolder } from './hold-devices.js';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

test('a lane that is opened again in mid-send, as a stuck one is, sends everything once, in order', async () => {
  const opened = bench().openHolder({ ackTimeoutMs: 500 });
  const customer = await bench().hold(opened);
  const phone = newPhoneNumber();
  await bench().network.fault({ kind: 'swallow', recipient: phone });
  const [first = 'msg_'] = await bench().sendTexts(customer, phone, numberedTexts(30));
  await bench().untilStatus(first, 'sending');
  // Its turn is not over: the new lane must not overtake it.
  for (const sent of [0, 10, 20]) {
    await bench().network.untilTexts(phone, sent);
    await opened.holder.get(customer.deviceId)?.reopenLane();
  }
  await bench().network.expectTexts(phone, numberedTexts(30));
  expect((await bench().network.inbox(phone)).every((entry) => entry.copies === 0)).toBe(true);
});

test('a claim that was committed without the worker hearing of it is sent before what comes after it', async () => {
  let lost = 0;
  const opened = bench().openHolder({
    wrapClaimer: (claimer) => ({
      ...claimer,
      async submit(request) {
        const claimed = await claimer.submit(request);
        if (lost++ === 0) throw new Error('the connection broke after the commit');
        return claimed;
      },
    }),
  });
  const customer = await bench().hold(opened);
  const phone = newPhoneNumber();
  const [first = 'msg_'] = await bench().sendTexts(customer, phone, numberedTexts(5));
  await bench().network.expectTexts(phone, numberedTexts(5));
  expect(lost).toBeGreaterThan(1);
  expect(await bench().message(first)).toMatchObject({ attempts: 1, unanswered: 0 });
  expect((await bench().timeline(customer, first)).slice(0, 3)).toEqual(['queued', 'sending', 'sent']);
});

test('a device of a network that this version does not know holds up no other one', async () => {
  const worker = bench().startWorker();
  const first = await bench().customer();
  const foreign = await bench().unlinkedDevice(first.accountId);
  await bench().query(`UPDATE devices SET network = 'of a newer version' WHERE id = $1`, [foreign.deviceId]);
  await worker.stop();
  await bench().askForQr(foreign);
  const opened = bench().openHolder();
  await opened.holder.renew();
  await opened.holder.balance();
  await bench().untilState(first, 'connected');
  await bench().untilState(foreign, 'disconnected');
  expect(await bench().device(foreign)).toMatchObject({ stateReason: 'link_failed' });
});

test('what was read before a device was unlinked does not connect it again', async () => {
  const opened = bench().openHolder();
  const customer = await bench().hold(opened);
  const device = opened.holder.get(customer.deviceId);
  const readAt = performance.now();
  const [before] = await readIntents(bench().database, [customer.deviceId]);
  if (device === undefined || before === undefined) throw new Error('the device is held');
  const banned = bench().network.fault({ kind: 'ban', device_id: customer.deviceId });
  await waitUntil(
    () => {
      device.reconcile(before, readAt);
      return device.isIdle;
    },
    { what: 'the device is idle', everyMs: 0 },
  );
  await banned;
  for (let i = 0; i < 50; i++) {
    device.reconcile(before, readAt);
    expect(await bench().device(customer)).toMatchObject({ state: 'banned', stateReason: 'banned' });
  }
  expect(device.isIdle).toBe(true);
});

/** The customer's phone scans the code on show. */
async function scanUntilSending(customer: Customer, holder: DeviceHolder, everyMs = 20): Promise<void> {
  await holder.balance();
  const code = await bench().shownCode(customer);
  const scanned = bench().network.ask(`/phones/${customer.number}/scan`, { code });
  await waitUntil(
    async () => {
      await holder.reconcile();
      return holder.get(customer.deviceId)?.isSending;
    },
    { what: 'the device sends', everyMs },
  );
  await scanned;
}

test('a code that is shown again while the phone uses it is gone once the device is linked', async () => {
  const { holder } = bench().openHolder();
  const accountId = await createAccount(bench().database, 'test');
  // Several, since it is a matter of a millisecond.
  for (let i = 0; i < 8; i++) {
    const customer = await bench().unlinkedDevice(accountId);
    await bench().askForQr(customer);
    await scanUntilSending(customer, holder, 0);
    expect(await bench().device(customer)).toMatchObject({ state: 'connected', linked: true, pairingCode: null });
  }
});

test('what a worker that died left of the account that is no longer linked does not go out through the next one', async () => {
  const first = bench().openHolder();
  const customer = await bench().hold(first);
  await first.stop();
  const phone = newPhoneNumber();
  const left = await bench().sendOne(customer, { recipient: phone, text: 'for the account before' });
  // As after `writeUnlinked`, when the worker dies before it ends what waits.
  await bench().database.pool.query(
    `WITH erased AS (DELETE FROM device_credentials WHERE device_id = $1)
     UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected' WHERE id = $1`,
    [customer.deviceId],
  );
  await bench().askForQr(customer);
  await scanUntilSending(customer, bench().openHolder().holder);
  const next = await bench().sendOne(customer, { recipient: phone, text: 'for this one' });
  await bench().untilStatus(next, 'sent');
  expect(await bench().message(left)).toMatchObject({ status: 'failed', reason: 'device_unlinked' });
  await bench().network.expectTexts(phone, ['for this one']);
});
