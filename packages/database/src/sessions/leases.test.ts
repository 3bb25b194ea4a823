import type { DeviceId } from '@kurir/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { resumeAccount, suspendAccount } from '../operators/suspend-account.js';
import { readDevice, requestLink } from '../devices/devices.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { writeDeviceState, writeLinkEnd, writePairingCode, writeUnlinked } from './device-session.js';
import { writeLinked } from './write-linked.js';
import type { LeaseToken } from './lease-token.js';
import {
  forgetWorker,
  type Lease,
  leaseTtlMs,
  readFairShare,
  readLeaseOwner,
  releaseLeases,
  renewLeases,
  takeLeases,
} from './leases.js';

const fixture = useDatabaseFixture();
const all = 1_000;

/** The database of another worker process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
});
afterAll(() => other.close());

beforeEach(async () => {
  // A worker can take any device of the table, so each test unlinks those of the others.
  await fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked'`);
  await fixture().query('UPDATE device_leases SET owner = NULL, expires_at = now() - make_interval(secs => 1)');
  await fixture().query('DELETE FROM worker_processes');
});

const take = (owner: string, database = fixture().database) => takeLeases(database, owner, 0, all, all);
const renew = (owner: string, held: readonly Lease[]) =>
  renewLeases(fixture().database, { owner, capacity: all }, held);
const holderOf = (owner: string, lease: Lease): LeaseToken => ({ ...lease, owner });

async function freeDevices(count: number): Promise<{ tenant: Tenant; ids: DeviceId[] }> {
  const tenant = await fixture().tenant();
  const ids = [tenant.deviceId];
  while (ids.length < count) ids.push((await fixture().device(tenant.accountId)).deviceId);
  await fixture().query(
    `UPDATE device_leases SET owner = NULL, expires_at = now() - make_interval(secs => 1) WHERE device_id = ANY ($1)`,
    [ids],
  );
  return { tenant, ids };
}

async function takenDevice(owner = 'wrk_a'): Promise<{ tenant: Tenant; holder: LeaseToken }> {
  const { tenant } = await freeDevices(1);
  const [lease] = await take(owner);
  if (lease === undefined) throw new Error('nothing was taken');
  return { tenant, holder: holderOf(owner, lease) };
}

const runOut = (deviceId: DeviceId, ago = '1 s') =>
  fixture().query(`UPDATE device_leases SET expires_at = now() - $2::interval WHERE device_id = $1`, [deviceId, ago]);

describe('taking devices', () => {
  test('by several workers at once never gives the same device to two of them, and leaves none', async () => {
    const { ids } = await freeDevices(24);
    const owners = ['wrk_a', 'wrk_b', 'wrk_c', 'wrk_d'];
    for (let round = 0; round < 12; round++) {
      await fixture().query('UPDATE device_leases SET owner = NULL WHERE device_id = ANY ($1)', [ids]);
      const taken = (
        await Promise.all(owners.map((owner, i) => take(owner, i % 2 ? other : fixture().database)))
      ).flat();
      taken.push(...(await take('wrk_a')));
      expect(taken.map((lease) => lease.deviceId).toSorted()).toEqual(ids.toSorted());
    }
  });

  test('raises the epoch each time', async () => {
    const { tenant } = await freeDevices(1);
    const epochs: bigint[] = [];
    for (const owner of ['wrk_a', 'wrk_b', 'wrk_b']) {
      epochs.push(...(await take(owner)).map((lease) => lease.epoch));
      await runOut(tenant.deviceId);
    }
    expect(epochs).toEqual([2n, 3n, 4n]);
  });

  test("leaves a held device alone until its lease ends on the database's clock", async () => {
    const { tenant } = await takenDevice();
    expect(await take('wrk_b')).toEqual([]);
    await runOut(tenant.deviceId);
    expect(await take('wrk_b')).toEqual([{ deviceId: tenant.deviceId, epoch: 3n }]);
    expect(await readLeaseOwner(fixture().database, tenant.deviceId)).toBe('wrk_b');
  });

  test.each([
    ['neither linked nor to be linked', `linked = false, desired_state = 'unlinked'`, 0],
    ['banned', `state = 'banned'`, 0],
    ['to be linked', `linked = false`, 1],
    ['linked and to be unlinked', `desired_state = 'unlinked'`, 1],
  ])('of a device that is %s', async (_what, change, taken) => {
    const { tenant } = await freeDevices(1);
    await fixture().query(`UPDATE devices SET ${change} WHERE id = $1`, [tenant.deviceId]);
    expect(await take('wrk_a')).toHaveLength(taken);
  });

  test('goes up to the fair share, and up to the capacity for devices that nobody took', async () => {
    const { ids } = await freeDevices(6);
    const { database } = fixture();
    expect(await takeLeases(database, 'wrk_a', 0, 2, all)).toHaveLength(2);
    expect(await takeLeases(database, 'wrk_a', 2, 2, all)).toHaveLength(0);
    for (const id of ids) await runOut(id, '4 s');
    expect(await takeLeases(database, 'wrk_a', 2, 2, 5)).toHaveLength(3);
    expect(await takeLeases(database, 'wrk_a', 5, 2, 5)).toHaveLength(0);
  });

  test('treats a device as free from the request to link it, so that workers with a fair share have the first chance', async () => {
    const { database } = fixture();
    const { tenant } = await freeDevices(1);
    const { accountId, deviceId } = tenant;
    await fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked' WHERE id = $1`, [deviceId]);
    await fixture().query(`UPDATE device_leases SET expires_at = to_timestamp(0) WHERE device_id = $1`, [deviceId]);
    await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
    expect(await takeLeases(database, 'wrk_a', 1, 1, all)).toHaveLength(0);
    await fixture().query(`UPDATE devices SET state_at = now() - interval '4 s' WHERE id = $1`, [deviceId]);
    expect(await takeLeases(database, 'wrk_a', 1, 1, all)).toHaveLength(1);
  });

  test('shows a device that was connected as connecting since the end of its lease', async () => {
    const { tenant } = await takenDevice();
    await fixture().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
    await runOut(tenant.deviceId, '50 s');
    await take('wrk_b');
    const device = await readDevice(fixture().database, tenant.accountId, tenant.deviceId);
    expect(device).toMatchObject({ state: 'connecting', acceptsSends: true });
    await fixture().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
    await runOut(tenant.deviceId, '70 s');
    await take('wrk_a');
    expect(await readDevice(fixture().database, tenant.accountId, tenant.deviceId)).toMatchObject({
      acceptsSends: false,
    });
  });
});

test('a device whose lease has ended is shown as connecting at once, before anybody has noticed', async () => {
  const { tenant } = await takenDevice();
  await fixture().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
  const state = async () => (await readDevice(fixture().database, tenant.accountId, tenant.deviceId))?.state;
  expect(await state()).toBe('connected');
  await runOut(tenant.deviceId);
  expect(await state()).toBe('connecting');
});

describe('renewing', () => {
  test('returns the leases that are still held, and none that has ended or belongs to another worker', async () => {
    await freeDevices(3);
    const leases = await take('wrk_a');
    const [kept, stolen, late] = leases.map((lease) => lease.deviceId);
    await fixture().query(`UPDATE device_leases SET owner = 'wrk_b', epoch = epoch + 1 WHERE device_id = $1`, [stolen]);
    await runOut(present(late));
    expect((await renew('wrk_a', leases)).map((lease) => lease.deviceId)).toEqual([kept]);
    expect(await readLeaseOwner(fixture().database, present(late))).toBeNull();
  });

  test('keeps a lease for its whole length from then', async () => {
    const { tenant, holder } = await takenDevice();
    await fixture().query(`UPDATE device_leases SET expires_at = now() + interval '1 s'`);
    await renew('wrk_a', [holder]);
    const [row] = await fixture().query<{ ms: string }>(
      `SELECT extract(epoch FROM expires_at - now()) * 1000 AS ms FROM device_leases WHERE device_id = $1`,
      [tenant.deviceId],
    );
    expect(Number(row?.ms)).toBeGreaterThan(leaseTtlMs - 2_000);
    expect(Number(row?.ms)).toBeLessThanOrEqual(leaseTtlMs);
  });

  test('does not renew a lease that the worker does not know of', async () => {
    const { tenant } = await takenDevice();
    await fixture().query(`UPDATE device_leases SET expires_at = now() + interval '1 s'`);
    expect(await renew('wrk_a', [])).toEqual([]);
    await runOut(tenant.deviceId);
    expect(await take('wrk_a')).toHaveLength(1);
  });
});

describe('releasing', () => {
  test('frees a device at once, and a connected one still accepts messages', async () => {
    const { tenant, holder } = await takenDevice();
    await writeDeviceState(fixture().database, holder, 'connected', null);
    await releaseLeases(fixture().database, [holder]);
    expect(await readLeaseOwner(fixture().database, tenant.deviceId)).toBeNull();
    expect(await readDevice(fixture().database, tenant.accountId, tenant.deviceId)).toMatchObject({
      state: 'connecting',
      acceptsSends: true,
    });
    expect(await take('wrk_b')).toHaveLength(1);
  });

  test('changes nothing for a lease that the worker has lost', async () => {
    const { tenant, holder } = await takenDevice();
    await runOut(tenant.deviceId);
    await take('wrk_b');
    await fixture().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
    await releaseLeases(fixture().database, [holder]);
    expect(await readLeaseOwner(fixture().database, tenant.deviceId)).toBe('wrk_b');
    expect(await readDevice(fixture().database, tenant.accountId, tenant.deviceId)).toMatchObject({
      state: 'connected',
    });
  });
});

describe('the fair share', () => {
  test('is the number of devices for each live worker, rounded up', async () => {
    await freeDevices(7);
    const share = async () => (await readFairShare(fixture().database, 'wrk_a')).share;
    await renew('wrk_a', []);
    expect(await share()).toBe(7);
    await renew('wrk_b', []);
    expect(await share()).toBe(4);
    await fixture().query(
      `UPDATE worker_processes SET expires_at = now() - make_interval(secs => 1) WHERE id = 'wrk_b'`,
    );
    expect(await share()).toBe(7);
    await renew('wrk_b', []);
    await forgetWorker(fixture().database, 'wrk_b');
    expect(await share()).toBe(7);
    // A worker that stops renews its remaining leases and wants no share.
    await renewLeases(fixture().database, { owner: 'wrk_b', capacity: null }, []);
    expect(await share()).toBe(7);
  });

  test('asks a worker to release devices only while another one has room for them', async () => {
    await freeDevices(4);
    const othersHaveRoom = async () => (await readFairShare(fixture().database, 'wrk_a')).othersHaveRoom;
    await renew('wrk_a', []);
    expect(await othersHaveRoom()).toBe(false);
    await renewLeases(fixture().database, { owner: 'wrk_b', capacity: 1 }, []);
    expect(await othersHaveRoom()).toBe(true);
    await takeLeases(fixture().database, 'wrk_b', 0, 1, 1);
    expect(await othersHaveRoom()).toBe(false);
  });
});

describe('a worker that lost its lease', () => {
  const lost = { reason: 'connection_lost' } as const;
  const expired = { reason: 'link_expired', cancelled: false, shownCode: null } as const;
  const writes: [string, (holder: LeaseToken) => Promise<boolean>][] = [
    ['the state', (holder) => writeDeviceState(fixture().database, holder, 'disconnected', lost)],
    ['a pairing code', (holder) => writePairingCode(fixture().database, holder, 'code', new Date(Date.now() + 60_000))],
    ['that it is linked', (holder) => writeLinked(fixture().database, holder, '6281299999999')],
    ['that it is unlinked', (holder) => writeUnlinked(fixture().database, holder, 'disconnected', lost)],
    ['that linking ended', async (holder) => (await writeLinkEnd(fixture().database, holder, expired)) === 'written'],
  ];
  const deviceRow = (deviceId: DeviceId) => fixture().query('SELECT * FROM devices WHERE id = $1', [deviceId]);

  test.each(writes)('cannot write %s, and is told so', async (_what, write) => {
    const { tenant, holder } = await takenDevice();
    await runOut(tenant.deviceId);
    const ranOut = await deviceRow(tenant.deviceId);
    expect(await write(holder)).toBe(false);
    await take('wrk_b');
    expect(await write(holder)).toBe(false);
    expect(await write({ ...holder, owner: 'wrk_b' })).toBe(false);
    expect(await deviceRow(tenant.deviceId)).toEqual(ranOut);
  });

  test.each(writes)('could write %s while it held the lease', async (what, write) => {
    const { holder } = await takenDevice();
    const isLinking = ['a pairing code', 'that linking ended'].includes(what);
    if (isLinking) await fixture().query('UPDATE devices SET linked = false WHERE id = $1', [holder.deviceId]);
    expect(await write(holder)).toBe(true);
  });
});

describe('a device of a suspended account', () => {
  test('is taken by nobody until the account resumes, and shows why', async () => {
    const { tenant, ids } = await freeDevices(2);
    await suspendAccount(fixture().database, tenant.accountId, 'reported');
    expect(await take('wrk_a')).toEqual([]);
    expect(await readFairShare(fixture().database, 'wrk_a')).toMatchObject({ share: 0 });
    expect(await readDevice(fixture().database, tenant.accountId, tenant.deviceId)).toMatchObject({
      stateReason: 'account_suspended',
    });
    expect(await resumeAccount(fixture().database, tenant.accountId)).toBe(true);
    expect((await take('wrk_a')).map((lease) => lease.deviceId).sort()).toEqual([...ids].sort());
    expect(await resumeAccount(fixture().database, tenant.accountId)).toBe(false);
  });

  test('is still logged out', async () => {
    const { tenant } = await freeDevices(1);
    await fixture().query(`UPDATE devices SET linked = true, desired_state = 'unlinked' WHERE id = $1`, [
      tenant.deviceId,
    ]);
    await suspendAccount(fixture().database, tenant.accountId, 'reported');
    expect(await take('wrk_a')).toMatchObject([{ deviceId: tenant.deviceId }]);
  });
});
