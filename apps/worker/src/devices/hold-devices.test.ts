import { createSecretKey, randomBytes } from 'node:crypto';
import { type DeviceId, newId } from '@kurir/contracts';
import {
  createAccount,
  createAccountKeys,
  createClaimer,
  createContactWriter,
  createDevice,
  createOutcomeWriter,
  createSealer,
  type Database,
  leaseTtlMs,
  openDatabase,
  readIntents,
  readLeaseOwner,
  takeLeases,
} from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { connectQueue, type QueueConnection } from '@kurir/queue';
import { createTestDatabase, testRedisUrl, type TestDatabase, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnectGate } from './connecting/connect-gate.js';
import { HeldDevice, type HeldDeviceParts } from './held-device.js';
import { DeviceHolder } from './hold-devices.js';
import { MemoryNetwork } from '../../test/memory-network.js';
import { fenceAfterMs } from './time-limits.js';

let copy: TestDatabase;
let database: Database;
let queue: QueueConnection;
let network: MemoryNetwork;
let nowMs: number;
let holders: DeviceHolder[];

beforeAll(async () => {
  copy = await createTestDatabase();
  database = openDatabase({ url: copy.url, poolSize: 6 });
  const internalKey = createSecretKey(randomBytes(32));
  queue = connectQueue({ url: testRedisUrl(), prefix: uniqueQueuePrefix(), internalKey });
});
afterAll(async () => {
  await queue.close();
  await database.close();
  await copy.drop();
});
beforeEach(async () => {
  network = new MemoryNetwork();
  nowMs = 1_000_000;
  holders = [];
  await database.pool.query(`UPDATE devices SET linked = false, desired_state = 'unlinked'`);
});
afterEach(async () => {
  await Promise.all(holders.map((holder) => holder.stop()));
});

function partsOf(overrides: Partial<HeldDeviceParts> = {}): HeldDeviceParts {
  const sealer = createSealer(createSecretKey(randomBytes(32)));
  const accountKeys = createAccountKeys(database, sealer);
  return {
    database,
    queue,
    sealer,
    accountKeys,
    laneConnection: queue.patient(),
    drivers: { whatsapp: null, simulator: network.driver },
    claimer: createClaimer(database, accountKeys),
    outcomes: createOutcomeWriter(database),
    contacts: createContactWriter(database),
    gate: createConnectGate(5),
    log: createLogger({ name: 'worker', level: 'silent', pretty: false }),
    fillLane: () => undefined,
    ...overrides,
  };
}

/** A worker's part that holds devices, without its chores: the test says when they run. */
function holderOf(owner: string = newId('wrk')): DeviceHolder {
  const holder = new DeviceHolder({ database, owner, capacity: 100, parts: partsOf(), now: () => nowMs });
  holders.push(holder);
  return holder;
}

async function linkedDevice(): Promise<DeviceId> {
  const accountId = await createAccount(database, 'test');
  const id = await createDevice(database, { accountId, name: 'd', network: 'simulator', pacePerMinute: null });
  await database.pool.query(`UPDATE devices SET linked = true, desired_state = 'linked' WHERE id = $1`, [id]);
  return id;
}

async function heldDevice(): Promise<{ deviceId: DeviceId; holder: DeviceHolder }> {
  const deviceId = await linkedDevice();
  const holder = holderOf();
  await holder.renew();
  await holder.balance();
  await untilSending(holder, deviceId);
  return { deviceId, holder };
}

const untilSending = (holder: DeviceHolder, deviceId: DeviceId) =>
  waitUntil(() => holder.get(deviceId)?.isSending, { what: 'the device sends' });

/** So long ago that any worker with room takes it. */
const runOut = (deviceId: DeviceId) =>
  database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '4 s' WHERE device_id = $1`, [deviceId]);

const stateOf = async (deviceId: DeviceId) =>
  (await database.pool.query<{ state: string }>('SELECT state FROM devices WHERE id = $1', [deviceId])).rows[0]?.state;

describe('a worker that cannot renew its leases', () => {
  test('closes its sessions by its own clock, three seconds before the leases end', async () => {
    const { deviceId, holder } = await heldDevice();
    expect(fenceAfterMs).toBe(leaseTtlMs - 3_000);
    nowMs += fenceAfterMs;
    holder.fenceIfStale();
    expect(network.epochsOf(deviceId)).toEqual([1n]);
    nowMs += 1;
    holder.fenceIfStale();
    expect(network.epochsOf(deviceId)).toEqual([]);
    expect(holder.size).toBe(0);
  });

  test('and then can again does not keep devices leased that it does not hold: they are taken anew', async () => {
    const { deviceId, holder } = await heldDevice();
    nowMs += fenceAfterMs + 1;
    holder.fenceIfStale();
    await database.pool.query(`UPDATE device_leases SET expires_at = now() + interval '0.3 s' WHERE device_id = $1`, [
      deviceId,
    ]);
    await holder.renew();
    await waitUntil(
      async () => {
        await holder.balance();
        return holder.get(deviceId)?.isSending;
      },
      { what: 'the device sends again' },
    );
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });
});

test('a wish that all devices forget their sessions closes five in a round, and the rest goes on', async () => {
  const devices = await Promise.all(Array.from({ length: 7 }, linkedDevice));
  const holder = holderOf();
  await holder.renew();
  await holder.balance();
  for (const deviceId of devices) await untilSending(holder, deviceId);
  await database.pool.query('UPDATE devices SET forget_sessions_at = now() WHERE id = ANY ($1)', [devices]);
  const left = async () =>
    (await readIntents(database, devices)).filter(({ forgetSessionsAt }) => forgetSessionsAt !== null).length;
  for (const [round, after] of [2, 0].entries()) {
    await holder.reconcile();
    await waitUntil(async () => (await left()) <= after, { what: `round ${round} is over` });
    for (const deviceId of devices) await untilSending(holder, deviceId);
    expect([await left(), network.sessions]).toEqual([after, 14 - after]);
  }
});

describe('a lease', () => {
  test('that was taken without the worker learning of it runs out, and is taken again', async () => {
    const deviceId = await linkedDevice();
    const owner = newId('wrk');
    const holder = holderOf(owner);
    await takeLeases(database, owner, 0, 1, 1);
    await database.pool.query(`UPDATE device_leases SET expires_at = now() + interval '0.3 s' WHERE device_id = $1`, [
      deviceId,
    ]);
    await waitUntil(
      async () => {
        await holder.renew();
        await holder.balance();
        return holder.get(deviceId)?.isSending;
      },
      { what: 'the device sends' },
    );
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });

  test('that ran out unnoticed and was taken again by the same worker leaves one session', async () => {
    const { deviceId, holder } = await heldDevice();
    const before = holder.get(deviceId);
    await runOut(deviceId);
    await holder.balance();
    await waitUntil(() => holder.get(deviceId)?.isSending, { what: 'the device sends again' });
    expect(holder.get(deviceId)).not.toBe(before);
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });

  test('that another worker has is noticed: the session is closed and nothing more is written', async () => {
    const { deviceId, holder } = await heldDevice();
    await runOut(deviceId);
    const other = holderOf();
    await other.renew();
    await other.balance();
    await untilSending(other, deviceId);
    expect(await stateOf(deviceId)).toBe('connected');
    await holder.renew();
    await waitUntil(() => network.epochsOf(deviceId).length === 1, { what: 'the first session is closed' });
    expect(network.epochsOf(deviceId)).toEqual([2n]);
    expect(await stateOf(deviceId)).toBe('connected');
    expect(holder.size).toBe(0);
  });

  test('that is taken while a renewal runs is kept', async () => {
    const deviceId = await linkedDevice();
    const holder = holderOf();
    for (let round = 0; round < 10; round++) await Promise.all([holder.renew(), holder.balance(), holder.renew()]);
    await untilSending(holder, deviceId);
    expect(network.epochsOf(deviceId)).toEqual([1n]);
    expect(network.sessions).toBe(1);
  });
});

test('a worker that stops gives back its devices at once, with no session left', async () => {
  const { deviceId, holder } = await heldDevice();
  await holder.stop();
  expect(network.epochsOf(deviceId)).toEqual([]);
  const other = holderOf();
  await other.renew();
  await other.balance();
  await untilSending(other, deviceId);
  expect(network.epochsOf(deviceId)).toEqual([2n]);
});

test('a worker that stops while Postgres is away still closes its sessions', async () => {
  const { deviceId } = await heldDevice();
  const own = openDatabase({ url: copy.url, poolSize: 2 });
  const parts = { ...partsOf(), database: own };
  const holder = new DeviceHolder({ database: own, owner: newId('wrk'), capacity: 100, parts });
  await runOut(deviceId);
  await holder.balance();
  await untilSending(holder, deviceId);
  await own.close();
  // It is logged; the leases run out.
  await holder.stop();
  expect(network.epochsOf(deviceId)).not.toContain(2n);
});

test('a worker that is stopped at any moment while it takes devices holds none afterwards', async () => {
  const deviceId = await linkedDevice();
  for (let round = 0; round < 16; round++) {
    const holder = holderOf();
    const stopped = async () => {
      for (let wait = 0; wait < round % 8; wait++) await database.pool.query('SELECT 1');
      await holder.stop();
    };
    await Promise.all([holder.balance(), stopped()]);
    expect(holder.size).toBe(0);
    expect(await readLeaseOwner(database, deviceId)).toBeNull();
    expect(network.epochsOf(deviceId)).toEqual([]);
  }
});

test('a worker that is woken many times at once takes its share, not a multiple of it', async () => {
  await Promise.all(Array.from({ length: 12 }, () => linkedDevice()));
  await database.pool.query('UPDATE device_leases SET expires_at = now() - make_interval(secs => 1)');
  const [holder, other] = [holderOf(), holderOf()];
  await Promise.all([holder.renew(), other.renew()]);
  await Promise.all(Array.from({ length: 10 }, () => holder.balance()));
  expect(holder.size).toBe(6);
  expect(network.sessions).toBeLessThanOrEqual(6);
});

test('a device that is asked to connect again and again while it connects has one session', async () => {
  const deviceId = await linkedDevice();
  const owner = newId('wrk');
  const [lease] = await takeLeases(database, owner, 0, 1, 1);
  const [intent] = await readIntents(database, [deviceId]);
  if (lease === undefined || intent === undefined) throw new Error('the device was not taken');
  const device = new HeldDevice({ ...lease, owner }, intent, partsOf());
  for (let i = 0; i < 50; i++) {
    device.reconcile(intent);
    await new Promise(setImmediate);
  }
  await waitUntil(() => device.isSending, { what: 'the device sends' });
  expect(network.sessions).toBe(1);
  await device.handOver();
  expect(network.epochsOf(deviceId)).toEqual([]);
});
