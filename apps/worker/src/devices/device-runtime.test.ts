/** The lane, the link and the intent of one device, when things happen in the wrong order. */
import { createAccount, readIntents } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { DeviceSupervisor } from './device-supervisor.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

test('a lane that is opened again in mid-send, as if it were stuck, sends all messages once, in order', async () => {
  const opened = fixture().openSupervisor({ ackTimeoutMs: 500 });
  const customer = await fixture().sendingDevice(opened);
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'swallow', recipient: phone });
  const [first = 'msg_'] = await fixture().sendTexts(customer, phone, numberedTexts(30));
  await fixture().untilStatus(first, 'sending');
  // The turn of the first message still runs, and the new lane must not overtake it.
  for (const sent of [0, 10, 20]) {
    await fixture().network.untilTexts(phone, sent);
    await opened.supervisor.get(customer.deviceId)?.reopenLane();
  }
  await fixture().network.expectTexts(phone, numberedTexts(30));
  expect((await fixture().network.inbox(phone)).every((entry) => entry.copies === 0)).toBe(true);
});

test('a message whose claim was committed but not received is sent before the later messages', async () => {
  let lost = 0;
  const opened = fixture().openSupervisor({
    wrapClaimer: (claimer) => ({
      ...claimer,
      async submit(request) {
        const claimed = await claimer.submit(request);
        if (lost++ === 0) throw new Error('the connection broke after the commit');
        return claimed;
      },
    }),
  });
  const customer = await fixture().sendingDevice(opened);
  const phone = newPhoneNumber();
  const [first = 'msg_'] = await fixture().sendTexts(customer, phone, numberedTexts(5));
  await fixture().network.expectTexts(phone, numberedTexts(5));
  expect(lost).toBeGreaterThan(1);
  expect(await fixture().message(first)).toMatchObject({ attempts: 1, unanswered: 0 });
  expect((await fixture().timeline(customer, first)).slice(0, 3)).toEqual(['queued', 'sending', 'sent']);
});

test('a device of a network that this version does not know delays no other device', async () => {
  const worker = fixture().startWorker();
  const first = await fixture().customer();
  const foreign = await fixture().unlinkedDevice(first.accountId);
  await fixture().query(`UPDATE devices SET network = 'of a newer version' WHERE id = $1`, [foreign.deviceId]);
  await worker.stop();
  await fixture().askForQr(foreign);
  const opened = fixture().openSupervisor();
  await opened.supervisor.renew();
  await opened.supervisor.balance();
  await fixture().untilState(first, 'connected');
  await fixture().untilState(foreign, 'disconnected');
  expect(await fixture().device(foreign)).toMatchObject({ stateReason: 'link_failed' });
});

test('an intent that was read before a device was unlinked does not connect it again', async () => {
  const opened = fixture().openSupervisor();
  const customer = await fixture().sendingDevice(opened);
  const device = opened.supervisor.get(customer.deviceId);
  const readAt = performance.now();
  const [before] = await readIntents(fixture().database, [customer.deviceId]);
  if (device === undefined || before === undefined) throw new Error('the device is held');
  const banned = fixture().network.fault({ kind: 'ban', device_id: customer.deviceId });
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
    expect(await fixture().device(customer)).toMatchObject({ state: 'banned', stateReason: 'banned' });
  }
  expect(device.isIdle).toBe(true);
});

/** The customer's phone scans the shown code. */
async function scanUntilSending(customer: Customer, supervisor: DeviceSupervisor, everyMs = 20): Promise<void> {
  await supervisor.balance();
  const code = await fixture().shownCode(customer);
  const scanned = fixture().network.ask(`/phones/${customer.number}/scan`, { code });
  await waitUntil(
    async () => {
      await supervisor.reconcile();
      return supervisor.get(customer.deviceId)?.isSending;
    },
    { what: 'the device sends', everyMs },
  );
  await scanned;
}

test('a code that is shown again while the phone uses it is removed once the device is linked', async () => {
  const { supervisor } = fixture().openSupervisor();
  const accountId = await createAccount(fixture().database, 'test');
  // Several devices, because the race lasts only a moment.
  for (let i = 0; i < 8; i++) {
    const customer = await fixture().unlinkedDevice(accountId);
    await fixture().askForQr(customer);
    await scanUntilSending(customer, supervisor, 0);
    expect(await fixture().device(customer)).toMatchObject({ state: 'connected', linked: true, pairingCode: null });
  }
});

test('messages of an unlinked account that a dead worker left do not go out through the next account', async () => {
  const first = fixture().openSupervisor();
  const customer = await fixture().sendingDevice(first);
  await first.stop();
  const phone = newPhoneNumber();
  const left = await fixture().sendOne(customer, { recipient: phone, text: 'for the account before' });
  // The state after `writeUnlinked`, if the worker dies before it fails the waiting messages.
  await fixture().database.pool.query(
    `WITH erased AS (DELETE FROM device_credentials WHERE device_id = $1)
     UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected' WHERE id = $1`,
    [customer.deviceId],
  );
  await fixture().askForQr(customer);
  await scanUntilSending(customer, fixture().openSupervisor().supervisor);
  const next = await fixture().sendOne(customer, { recipient: phone, text: 'for this one' });
  await fixture().untilStatus(next, 'sent');
  expect(await fixture().message(left)).toMatchObject({ status: 'failed', reason: 'device_unlinked' });
  await fixture().network.expectTexts(phone, ['for this one']);
});
