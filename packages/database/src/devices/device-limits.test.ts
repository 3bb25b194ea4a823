/** The number of devices of an account, and the places that accounts share on the workers. */
import { randomBytes } from 'node:crypto';
import { type AccountId, type DeviceId, limits } from '@kurir/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { forgetWorker, readGivingWay, renewLeases, takeLeases } from '../sessions/leases.js';
import { createDevice, createRequestedDevice } from './create-device.js';
import { readDevice, requestLink, requestLinkCancel, requestLinkWithinLimit } from './devices.js';

const fixture = useDatabaseFixture({ poolSize: 8 });

async function openPeriod(accountId: AccountId, maxDevices: number, isTrial = false): Promise<void> {
  await fixture().query(
    `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, max_devices, is_trial)
     VALUES (gen_random_uuid(), $1, 'test', 'TIME_BASED', now(), now() + interval '1 day', $2, $3)`,
    [accountId, maxDevices, isTrial],
  );
}

const account = () => createAccount(fixture().database, 'test');

describe('the devices of an account', () => {
  const create = (accountId: AccountId, clientRef: string | null = null) =>
    createRequestedDevice(
      fixture().database,
      { sealer, accountKeys: fixture().accountKeys },
      { accountId, name: 'test', network: 'simulator', clientRef },
      { accountId, actor: 'test', action: 'device.created' },
    );
  const countOf = async (accountId: AccountId) =>
    (await fixture().query('SELECT 1 FROM devices WHERE account_id = $1', [accountId])).length;

  test('are those of a trial without a running period, also for requests at the same time', async () => {
    const accountId = await account();
    const made = await Promise.all(Array.from({ length: 8 }, () => create(accountId)));
    expect(made.filter(({ kind }) => kind === 'created')).toHaveLength(limits.trialMaxDevices);
    expect(made).toContainEqual({ kind: 'too-many', max: limits.trialMaxDevices });
    expect(await countOf(accountId)).toBe(limits.trialMaxDevices);
  });

  test('are those of the largest running period; an account above its limit keeps what it has', async () => {
    const accountId = await account();
    await openPeriod(accountId, 3);
    await openPeriod(accountId, 1);
    for (let i = 0; i < 3; i++) expect((await create(accountId)).kind).toBe('created');
    expect(await create(accountId)).toEqual({ kind: 'too-many', max: 3 });
    await fixture().query('UPDATE subscription_periods SET max_devices = 1 WHERE account_id = $1', [accountId]);
    expect(await create(accountId)).toEqual({ kind: 'too-many', max: 1 });
    expect(await countOf(accountId)).toBe(3);
  });

  test('are linked a few at a time, also for requests at the same time; a cancelled link makes room', async () => {
    const { database } = fixture();
    const accountId = await account();
    const make = () => createDevice(database, { accountId, name: 'test', network: 'simulator' });
    const ids = await Promise.all(Array.from({ length: limits.pairingMaxDevices + 4 }, make));
    const audit = { accountId, actor: 'test', action: 'device.link_requested' } as const;
    const link = (id: DeviceId) =>
      requestLinkWithinLimit(database, accountId, id, { method: 'qr', phoneNumber: null }, audit);
    const asked = await Promise.all(ids.map(link));
    const started = ids.filter((_, i) => asked[i] === 'started');
    const [late] = ids.filter((_, i) => asked[i] === 'too-many');
    expect(started).toHaveLength(limits.pairingMaxDevices);
    expect(await Promise.all(started.map(link))).toEqual(started.map(() => 'started'));
    const [first] = started;
    if (first === undefined || late === undefined) throw new Error('no device was refused');
    expect(await link(late)).toBe('too-many');
    await requestLinkCancel(database, accountId, first);
    expect(await link(late)).toBe('started');
    const audited = await fixture().query('SELECT 1 FROM audit_log WHERE account_id = $1', [accountId]);
    expect(audited).toHaveLength(2 * limits.pairingMaxDevices + 1);
  });

  test('a repeat gets its first device, although the account is full', async () => {
    const accountId = await account();
    const ref = randomBytes(4).toString('hex');
    const first = await create(accountId, ref);
    await create(accountId);
    expect(await create(accountId, ref)).toEqual({ ...first, kind: 'repeated' });
  });

  test('are none once its erasure has begun', async () => {
    const accountId = await account();
    // The api has the keys of the account in memory from then on.
    await create(accountId);
    await fixture().query('UPDATE accounts SET erasure_begun_at = now() WHERE id = $1', [accountId]);
    expect(await create(accountId)).toMatchObject({ kind: 'too-many' });
    expect(await countOf(accountId)).toBe(1);
  });
});

describe('the places of the workers', () => {
  const owner = `wrk_${randomBytes(4).toString('hex')}` as const;

  /** Adds devices that want to be linked, and have waited for a place. */
  async function waiting(accountId: AccountId, count: number): Promise<string[]> {
    const ids = [];
    for (let i = 0; i < count; i++) {
      const device = { accountId, name: 'test', network: 'simulator', pacePerMinute: null } as const;
      const id = await createDevice(fixture().database, device);
      await requestLink(fixture().database, accountId, id, { method: 'qr', phoneNumber: null });
      await fixture().query(`UPDATE devices SET state_at = now() - interval '10 seconds' WHERE id = $1`, [id]);
      ids.push(id);
    }
    return ids;
  }
  const take = async (holding: number, capacity: number) =>
    (await takeLeases(fixture().database, owner, holding, capacity, capacity)).map(({ deviceId }) => deviceId);
  const givingWay = () => readGivingWay(fixture().database, owner, 5);
  const beat = (capacity: number) => renewLeases(fixture().database, { owner, capacity }, []);

  beforeEach(async () => {
    await fixture().query(`UPDATE devices SET desired_state = 'unlinked', state = 'disconnected'`);
    await fixture().query('UPDATE device_leases SET owner = NULL, expires_at = to_timestamp(0)');
    await forgetWorker(fixture().database, owner);
  });

  test('go to each account in turn, however many devices the first one asked for', async () => {
    const [greedy, modest] = [await account(), await account()];
    const many = await waiting(greedy, 8);
    const [one] = await waiting(modest, 1);
    const taken = await take(0, 3);
    expect(taken).toHaveLength(3);
    expect(taken).toContain(one);
    expect(taken.filter((id) => many.includes(id))).toHaveLength(2);
  });

  test('count those that the account holds already', async () => {
    const [greedy, modest] = [await account(), await account()];
    await waiting(greedy, 2);
    expect(await take(0, 2)).toHaveLength(2);
    await waiting(greedy, 4);
    const few = await waiting(modest, 2);
    expect((await take(2, 4)).sort()).toEqual(few.sort());
  });

  test('go to paying accounts first', async () => {
    const [free, trial, paying] = [await account(), await account(), await account()];
    await openPeriod(trial, 2, true);
    await openPeriod(paying, 10);
    await waiting(free, 2);
    await waiting(trial, 2);
    const paid = await waiting(paying, 3);
    expect((await take(0, 3)).sort()).toEqual(paid.sort());
  });

  test('are given up by trials while a paying device finds none, and only then', async () => {
    const [trial, paying] = [await account(), await account()];
    await openPeriod(paying, 10);
    await beat(2);
    const held = await waiting(trial, 2);
    expect((await take(0, 2)).sort()).toEqual(held.sort());
    expect(await givingWay()).toEqual([]);
    const [paid] = await waiting(paying, 1);
    const leaving = await givingWay();
    expect(leaving).toHaveLength(1);
    expect(held).toContain(leaving[0]);
    await beat(3);
    expect(await givingWay()).toEqual([]);
    expect(await take(2, 3)).toEqual([paid]);
    await waiting(trial, 2);
    expect(await givingWay()).toEqual([]);
  });

  test('a device without one says so after some seconds, until a worker takes it', async () => {
    const accountId = await account();
    const [id = ''] = await waiting(accountId, 1);
    const reason = async () => (await readDevice(fixture().database, accountId, id))?.stateReason;
    expect(await reason()).toBe('no_capacity');
    await take(0, 1);
    expect(await reason()).toBeNull();
  });
});
