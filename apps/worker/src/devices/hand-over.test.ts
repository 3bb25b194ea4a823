/** Devices pass from one worker to another, and a worker that lost its lease does no harm. */
import type { DeviceId } from '@kurir/contracts';
import { takeLeases } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';
import { patienceMs } from '../../test/surroundings.js';
import { fenceAfterMs } from '../leases/time-limits.js';

const fixture = useWorkerFixture();

async function devices(count: number): Promise<Customer[]> {
  const first = await fixture().customer();
  const rest = Array.from({ length: count - 1 }, () => fixture().anotherDevice(first.accountId));
  return [first, ...(await Promise.all(rest))];
}

type Lease = { readonly device_id: DeviceId; readonly owner: string; readonly epoch: bigint };

function leases(): Promise<Lease[]> {
  return fixture().query<Lease>(
    'SELECT device_id, owner, epoch FROM device_leases WHERE owner IS NOT NULL AND expires_at > now() ORDER BY device_id',
  );
}

/** Returns how many devices each worker holds, the smallest number first. */
async function shares(): Promise<number[]> {
  const owners = (await leases()).map((lease) => lease.owner);
  return [...new Set(owners)].map((owner) => owners.filter((other) => other === owner).length).sort();
}

/** Shorter than a lease that nobody releases. */
const beforeExpiryMs = 12_000;

function untilShares(expected: readonly number[], timeoutMs = patienceMs): Promise<true> {
  const what = `the workers hold ${expected.join(' and ')} devices`;
  return waitUntil(async () => String(await shares()) === String(expected), { what, timeoutMs });
}

/** Lets the lease expire so long ago that any worker with room takes it. */
async function expire({ deviceId }: Customer): Promise<void> {
  const ago = `now() - interval '4 seconds'`;
  await fixture().query(`UPDATE device_leases SET expires_at = ${ago} WHERE device_id = $1`, [deviceId]);
}

describe('two workers', () => {
  test('when one stops in mid-send, the other has its devices before their leases expire; all messages arrive once, in order', async () => {
    const first = fixture().startWorker();
    const customers = await devices(4);
    const second = fixture().startWorker();
    await untilShares([2, 2]);
    await waitUntil(async () => (await Promise.all(customers.map(isConnected))).every(Boolean), {
      what: 'all are connected',
    });
    const phones = customers.map(newPhoneNumber);
    const sent = customers.map((customer, i) => fixture().sendTexts(customer, phones[i] ?? '', numberedTexts(40)));
    await Promise.all(sent);
    await Promise.all(phones.map((phone) => fixture().network.untilTexts(phone, 5)));
    const stopped = first.stop();
    await untilShares([4], beforeExpiryMs);
    await stopped;
    await Promise.all(phones.map((phone) => fixture().network.expectTexts(phone, numberedTexts(40))));
    expect(await second.health()).toMatchObject({ ok: true });
  });

  test('when one stops, a device that waits for its last answer delays no other', async () => {
    const first = fixture().startWorker({ ackTimeoutMs: 60_000 });
    const [slow, idle] = await devices(2);
    if (slow === undefined || idle === undefined) throw new Error('two devices were linked');
    const phone = newPhoneNumber();
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    await fixture().sendOne(slow, { recipient: phone, text: 'Halo' });
    await fixture().network.untilFault(slow.deviceId, 'swallow');
    const owner = await fixture().owner(slow.deviceId);
    const stopped = first.stop();
    fixture().startWorker();
    await waitUntil(async () => ![null, owner].includes(await fixture().owner(idle.deviceId)), {
      what: 'the other worker has the idle device',
      timeoutMs: beforeExpiryMs,
    });
    expect(await fixture().owner(slow.deviceId)).toBe(owner);
    await fixture().network.fault({ kind: 'restart', device_id: slow.deviceId });
    await stopped;
    await fixture().network.expectTexts(phone, ['Halo']);
  });

  test('when one stops, it keeps the lease of a device that waits for its last answer', async () => {
    const worker = fixture().startWorker({ ackTimeoutMs: 60_000 });
    const customer = await fixture().customer();
    const phone = newPhoneNumber();
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
    await fixture().network.untilFault(customer.deviceId, 'swallow');
    const owner = await fixture().owner(customer.deviceId);
    const stopped = worker.stop();
    const readLease = () =>
      fixture().query<{ owner: string; expires_at: Date }>(
        'SELECT owner, expires_at FROM device_leases WHERE device_id = $1',
        [customer.deviceId],
      );
    const [before] = await readLease();
    await waitUntil(
      async () => {
        const [now] = await readLease();
        if (now?.owner !== owner) throw new Error('it was handed over before its time');
        return now?.expires_at.getTime() !== before?.expires_at.getTime();
      },
      { what: 'the lease is renewed' },
    );
    expect(await fixture().query('SELECT 1 FROM worker_processes WHERE id = $1', [owner])).toEqual([]);
    await fixture().network.fault({ kind: 'restart', device_id: customer.deviceId });
    await stopped;
    expect(await fixture().owner(customer.deviceId)).toBeNull();
  });

  test('when one stops and loses the lease of a device during its hand-over, it closes the socket at once', async () => {
    const stopping = fixture().openSupervisor({ ackTimeoutMs: 60_000 });
    const customer = await fixture().sendingDevice(stopping);
    const phone = newPhoneNumber();
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
    await fixture().network.untilFault(customer.deviceId, 'swallow');
    const stopped = stopping.stop();
    await expire(customer);
    await takeLeases(fixture().database, 'wrk_other', 0, 1, 1);
    await stopping.supervisor.renew();
    await waitUntil(async () => !(await fixture().network.isOnline(customer.deviceId)), {
      what: 'its socket is closed long before the time for a hand-over is up',
      timeoutMs: 5_000,
    });
    await stopped;
    await expire(customer);
  });

  test('when one stops during a renewal, the others leave it no share', async () => {
    for (let i = 0; i < 20; i++) {
      const { owner, supervisor, stop } = fixture().openSupervisor();
      await Promise.all([supervisor.renew(), stop()]);
      expect(await fixture().query('SELECT 1 FROM worker_processes WHERE id = $1', [owner])).toEqual([]);
    }
  });

  test('share devices evenly, even an odd number, and then keep them', async () => {
    const [first, second] = [fixture().openSupervisor(), fixture().openSupervisor()];
    const maker = fixture().startWorker();
    await devices(5);
    await maker.stop();
    await first.supervisor.renew();
    await first.supervisor.balance();
    expect(await shares()).toEqual([5]);
    await second.supervisor.renew();
    const round = async () => {
      for (const { supervisor } of [first, second]) await supervisor.renew().then(() => supervisor.balance());
    };
    for (let i = 0; i < 3; i++) await round();
    expect(await shares()).toEqual([2, 3]);
    const before = await leases();
    for (let i = 0; i < 10; i++) await round();
    expect(await leases()).toEqual(before);
  });
});

const isConnected = async (customer: Customer) => (await fixture().device(customer)).state === 'connected';

describe('a worker that lost its lease', () => {
  test('claims nothing: the message waits untouched and goes out through the new owner', async () => {
    const stale = fixture().openSupervisor();
    const customer = await fixture().sendingDevice(stale);
    const phone = newPhoneNumber();
    await expire(customer);
    const [taken] = await takeLeases(fixture().database, 'wrk_other', 0, 1, 1);
    expect(taken?.deviceId).toBe(customer.deviceId);
    const id = await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
    await waitUntil(async () => !(await fixture().network.isOnline(customer.deviceId)), {
      what: 'its socket is closed',
    });
    expect(await fixture().message(id)).toMatchObject({ status: 'queued', attempts: 0, epoch: null });
    expect(await fixture().timeline(customer, id)).toEqual(['queued']);
    await waitUntil(async () => (await fixture().queue.laneQueue(customer.deviceId).getJobCountByTypes()) === 1, {
      what: 'the ticket is back in the queue',
    });
    await expire(customer);
    fixture().startWorker();
    await fixture().network.expectTexts(phone, ['Halo']);
  });

  test('or could not renew it for too long closes its socket, and its unfinished message goes out again', async () => {
    let now = 0;
    const stale = fixture().openSupervisor({ now: () => now, ackTimeoutMs: 60_000 });
    const customer = await fixture().sendingDevice(stale);
    const phone = newPhoneNumber();
    await fixture().network.fault({ kind: 'ack_lost', recipient: phone });
    await fixture().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
    const ids = await fixture().sendTexts(customer, phone, numberedTexts(5));
    await fixture().network.untilTexts(phone, 1);
    now += fenceAfterMs;
    stale.supervisor.fenceIfStale();
    expect(stale.supervisor.size).toBe(1);
    now += 1;
    stale.supervisor.fenceIfStale();
    await waitUntil(async () => !(await fixture().network.isOnline(customer.deviceId)), {
      what: 'its socket is closed',
    });
    await expire(customer);
    fixture().startWorker();
    await fixture().network.expectTexts(phone, numberedTexts(5));
    await fixture().untilStatus(ids[0] ?? 'msg_', 'delivered');
    expect((await fixture().network.inbox(phone)).map((entry) => entry.copies)).toEqual([1, 0, 0, 0, 0]);
  });
});

test('a session that the new owner replaced does not connect again', async () => {
  const stale = fixture().openSupervisor();
  const customer = await fixture().sendingDevice(stale);
  const phone = newPhoneNumber();
  await expire(customer);
  fixture().startWorker();
  await waitUntil(async () => (await fixture().owner(customer.deviceId)) !== stale.owner, { what: 'another has it' });
  await waitUntil(async () => (await isConnected(customer)) && fixture().network.isOnline(customer.deviceId), {
    what: 'the new owner is connected',
  });
  await stale.supervisor.reconcile();
  await fixture().sendTexts(customer, phone, numberedTexts(30));
  await fixture().network.expectTexts(phone, numberedTexts(30));
  const journal = await fixture().network.journal(customer.deviceId);
  const logins = journal.flatMap((entry) => (entry.kind === 'login' ? [entry.epoch] : []));
  expect(logins).toEqual(['1', '2', '3']);
});
