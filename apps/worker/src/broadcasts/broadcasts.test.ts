/** Broadcasts through whole workers and the simulated network. */
import type { BroadcastId } from '@kurir/contracts';
import { pauseBroadcast, readBroadcast, resumeBroadcast } from '@kurir/database/broadcasts';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { startTestBroadcast } from '../../test/test-broadcast.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();

const start = (customer: Customer, deviceIds: readonly string[], phones: readonly string[]) =>
  startTestBroadcast(fixture(), customer, { deviceIds, phones });

const untilFinished = ({ accountId }: Customer, id: BroadcastId) =>
  waitUntil(async () => (await readBroadcast(fixture().database, accountId, id))?.broadcast.state === 'finished', {
    what: 'the broadcast finishes',
    timeoutMs: 60_000,
  });

async function expectEachOnce(phones: readonly string[]): Promise<void> {
  for (const [i, phone] of phones.entries()) {
    const inbox = await fixture().network.inbox(phone);
    expect(inbox.map(({ text, copies }) => [text, copies])).toEqual([[`Halo Budi ${i}`, 0]]);
  }
}

test('each person gets one message, through two devices, while workers come and go and somebody pauses', async () => {
  const first = fixture().startWorker();
  const customer = await fixture().customer({ quota: 200 });
  const second = await fixture().anotherDevice(customer.accountId);
  const phones = Array.from({ length: 120 }, () => newPhoneNumber());
  const id = await start(customer, [customer.deviceId, second.deviceId], phones);
  const whose = { id, accountId: customer.accountId };
  const sent = async () => {
    const found = await readBroadcast(fixture().database, customer.accountId, id);
    const { sent: taken = 0, delivered = 0, read = 0 } = found?.counts.messages ?? {};
    return taken + delivered + read;
  };
  await waitUntil(async () => (await sent()) > 5, { what: 'messages go out' });
  expect(await pauseBroadcast(fixture().database, whose, undefined)).toEqual({ kind: 'done' });
  fixture().startWorker();
  await first.stop();
  await resumeBroadcast(fixture().database, whose, 'pending', undefined);
  await untilFinished(customer, id);
  await expectEachOnce(phones);
  expect(await fixture().remainingQuota(customer)).toBe(80);
});

test('after a pause, nothing more goes out within two seconds', async () => {
  fixture().startWorker();
  const customer = await fixture().customer({ quota: 600, pacePerMinute: 600 });
  const phones = Array.from({ length: 60 }, () => newPhoneNumber());
  const id = await start(customer, [customer.deviceId], phones);
  const whose = { id, accountId: customer.accountId };
  const arrived = async () => {
    const inboxes = await Promise.all(phones.map((phone) => fixture().network.inbox(phone)));
    return inboxes.filter((inbox) => inbox.length > 0).length;
  };
  await waitUntil(async () => (await arrived()) > 3, { what: 'messages go out' });
  await pauseBroadcast(fixture().database, whose, undefined);
  let before = -1;
  const pausedAt = performance.now();
  // The count stands still for a second.
  await waitUntil(
    async () => {
      const now = await arrived();
      const isStill = now === before;
      before = now;
      return isStill;
    },
    { what: 'nothing more goes out', everyMs: 1_000 },
  );
  expect(performance.now() - pausedAt).toBeLessThan(6_000);
  expect(before).toBeLessThan(60);
  await resumeBroadcast(fixture().database, whose, 'pending', undefined);
  await untilFinished(customer, id);
  await expectEachOnce(phones);
});
