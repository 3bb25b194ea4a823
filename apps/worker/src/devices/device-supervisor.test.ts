import { createSecretKey, randomBytes } from 'node:crypto';
import { type AccountId, type DeviceId, newId } from '@kurir/contracts';
import {
  createAccount,
  createAccountKeys,
  createClaimer,
  createContactWriter,
  createInboundWriter,
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
import { resumeAccount, suspendAccount } from '@kurir/database/operators';
import { createLogger } from '@kurir/logging';
import { connectQueue, type QueueConnection } from '@kurir/queue';
import { createTestDatabase, testRedisUrl, type TestDatabase, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnectGate } from './connecting/connect-gate.js';
import { DeviceRuntime } from './device-runtime.js';
import type { DeviceResources } from './device-resources.js';
import { DeviceSupervisor } from './device-supervisor.js';
import { MemoryNetwork } from '../../test/memory-network.js';
import { fenceAfterMs } from '../leases/time-limits.js';

let copy: TestDatabase;
let database: Database;
let queue: QueueConnection;
let network: MemoryNetwork;
let nowMs: number;
let supervisors: DeviceSupervisor[];

beforeAll(async () => {
  copy = await createTestDatabase();
  database = openDatabase({ url: copy.url, poolSize: 6 });
  const internalKeys = [createSecretKey(randomBytes(32))] as const;
  queue = connectQueue({ urls: [testRedisUrl()], prefix: uniqueQueuePrefix(), internalKeys });
});
afterAll(async () => {
  await queue.close();
  await database.close();
  await copy.drop();
});
beforeEach(async () => {
  network = new MemoryNetwork();
  nowMs = 1_000_000;
  supervisors = [];
  await database.pool.query(`UPDATE devices SET linked = false, desired_state = 'unlinked'`);
});
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
});

function resourcesWith(overrides: Partial<DeviceResources> = {}): DeviceResources {
  const sealer = createSealer(createSecretKey(randomBytes(32)));
  const accountKeys = createAccountKeys(database, sealer);
  return {
    database,
    queue,
    sealer,
    accountKeys,
    laneConnection: queue.openForLanes(),
    drivers: { whatsapp: null, simulator: network.driver },
    claimer: createClaimer(database, accountKeys),
    outcomes: createOutcomeWriter(database),
    contactWriter: createContactWriter(database),
    inboundWriter: createInboundWriter(database, accountKeys),
    gate: createConnectGate(5),
    log: createLogger({ name: 'worker', level: 'silent', pretty: false }),
    fillLane: () => undefined,
    ...overrides,
  };
}

/** Opens a supervisor without the chores of a worker. The test decides when it renews leases and takes devices. */
function openSupervisor(owner: string = newId('wrk')): DeviceSupervisor {
  const supervisor = new DeviceSupervisor({ owner, capacity: 100, resources: resourcesWith(), now: () => nowMs });
  supervisors.push(supervisor);
  return supervisor;
}

async function linkedDevice(): Promise<DeviceId> {
  const accountId = await createAccount(database, 'test');
  const id = await createDevice(database, { accountId, name: 'd', network: 'simulator', pacePerMinute: null });
  await database.pool.query(`UPDATE devices SET linked = true, desired_state = 'linked' WHERE id = $1`, [id]);
  return id;
}

async function sendingDevice(): Promise<{ deviceId: DeviceId; supervisor: DeviceSupervisor }> {
  const deviceId = await linkedDevice();
  const supervisor = openSupervisor();
  await supervisor.renew();
  await supervisor.balance();
  await untilSending(supervisor, deviceId);
  return { deviceId, supervisor };
}

const untilSending = (supervisor: DeviceSupervisor, deviceId: DeviceId) =>
  waitUntil(() => supervisor.get(deviceId)?.isSending, { what: 'the device sends' });

/** Lets the lease expire so long ago that any worker with room takes it. */
const expire = (deviceId: DeviceId) =>
  database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '4 s' WHERE device_id = $1`, [deviceId]);

const stateOf = async (deviceId: DeviceId) =>
  (await database.pool.query<{ state: string }>('SELECT state FROM devices WHERE id = $1', [deviceId])).rows[0]?.state;

describe('a worker that cannot renew its leases', () => {
  test('closes its sessions on its own clock, seconds before the leases end', async () => {
    const { deviceId, supervisor } = await sendingDevice();
    expect(fenceAfterMs).toBe(leaseTtlMs - 3_000);
    nowMs += fenceAfterMs;
    supervisor.fenceIfStale();
    expect(network.epochsOf(deviceId)).toEqual([1n]);
    nowMs += 1;
    supervisor.fenceIfStale();
    expect(network.epochsOf(deviceId)).toEqual([]);
    expect(supervisor.size).toBe(0);
  });

  test('and later can again does not renew the leases of devices that it closed; it takes them again', async () => {
    const { deviceId, supervisor } = await sendingDevice();
    nowMs += fenceAfterMs + 1;
    supervisor.fenceIfStale();
    await database.pool.query(`UPDATE device_leases SET expires_at = now() + interval '0.3 s' WHERE device_id = $1`, [
      deviceId,
    ]);
    await supervisor.renew();
    await waitUntil(
      async () => {
        await supervisor.balance();
        return supervisor.get(deviceId)?.isSending;
      },
      { what: 'the device sends again' },
    );
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });
});

test('a request that all devices forget their sessions closes only some in a round, and the others go on', async () => {
  const devices = await Promise.all(Array.from({ length: 7 }, linkedDevice));
  const supervisor = openSupervisor();
  await supervisor.renew();
  await supervisor.balance();
  for (const deviceId of devices) await untilSending(supervisor, deviceId);
  await database.pool.query('UPDATE devices SET forget_sessions_at = now() WHERE id = ANY ($1)', [devices]);
  const left = async () =>
    (await readIntents(database, devices)).filter(({ forgetSessionsAt }) => forgetSessionsAt !== null).length;
  for (const [round, after] of [2, 0].entries()) {
    await supervisor.reconcile();
    await waitUntil(async () => (await left()) <= after, { what: `round ${round} is over` });
    for (const deviceId of devices) await untilSending(supervisor, deviceId);
    expect([await left(), network.sessions]).toEqual([after, 14 - after]);
  }
});

describe('a lease', () => {
  test('whose worker never received it expires, and is taken again', async () => {
    const deviceId = await linkedDevice();
    const owner = newId('wrk');
    const supervisor = openSupervisor(owner);
    await takeLeases(database, owner, 0, 1, 1);
    await database.pool.query(`UPDATE device_leases SET expires_at = now() + interval '0.3 s' WHERE device_id = $1`, [
      deviceId,
    ]);
    await waitUntil(
      async () => {
        await supervisor.renew();
        await supervisor.balance();
        return supervisor.get(deviceId)?.isSending;
      },
      { what: 'the device sends' },
    );
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });

  test('that expired unnoticed and was taken again by the same worker leaves one session', async () => {
    const { deviceId, supervisor } = await sendingDevice();
    const before = supervisor.get(deviceId);
    await expire(deviceId);
    await supervisor.balance();
    await waitUntil(() => supervisor.get(deviceId)?.isSending, { what: 'the device sends again' });
    expect(supervisor.get(deviceId)).not.toBe(before);
    expect(network.epochsOf(deviceId)).toEqual([2n]);
  });

  test('that another worker took makes the worker close its session, and nothing more is written', async () => {
    const { deviceId, supervisor } = await sendingDevice();
    await expire(deviceId);
    const other = openSupervisor();
    await other.renew();
    await other.balance();
    await untilSending(other, deviceId);
    expect(await stateOf(deviceId)).toBe('connected');
    await supervisor.renew();
    await waitUntil(() => network.epochsOf(deviceId).length === 1, { what: 'the first session is closed' });
    expect(network.epochsOf(deviceId)).toEqual([2n]);
    expect(await stateOf(deviceId)).toBe('connected');
    expect(supervisor.size).toBe(0);
  });

  test('that is taken during a renewal is kept', async () => {
    const deviceId = await linkedDevice();
    const supervisor = openSupervisor();
    for (let round = 0; round < 10; round++)
      await Promise.all([supervisor.renew(), supervisor.balance(), supervisor.renew()]);
    await untilSending(supervisor, deviceId);
    expect(network.epochsOf(deviceId)).toEqual([1n]);
    expect(network.sessions).toBe(1);
  });
});

test('a worker that stops releases its devices at once, and leaves no session', async () => {
  const { deviceId, supervisor } = await sendingDevice();
  await supervisor.stop();
  expect(network.epochsOf(deviceId)).toEqual([]);
  const other = openSupervisor();
  await other.renew();
  await other.balance();
  await untilSending(other, deviceId);
  expect(network.epochsOf(deviceId)).toEqual([2n]);
});

test('a worker that stops while Postgres is unavailable still closes its sessions', async () => {
  const { deviceId } = await sendingDevice();
  const own = openDatabase({ url: copy.url, poolSize: 2 });
  const resources = { ...resourcesWith(), database: own };
  const supervisor = new DeviceSupervisor({ owner: newId('wrk'), capacity: 100, resources });
  await expire(deviceId);
  await supervisor.balance();
  await untilSending(supervisor, deviceId);
  await own.close();
  // The failed release is logged, and the leases expire.
  await supervisor.stop();
  expect(network.epochsOf(deviceId)).not.toContain(2n);
});

test('a worker that is stopped at any moment of taking devices holds none afterwards', async () => {
  const deviceId = await linkedDevice();
  for (let round = 0; round < 16; round++) {
    const supervisor = openSupervisor();
    const stopped = async () => {
      for (let wait = 0; wait < round % 8; wait++) await database.pool.query('SELECT 1');
      await supervisor.stop();
    };
    await Promise.all([supervisor.balance(), stopped()]);
    expect(supervisor.size).toBe(0);
    expect(await readLeaseOwner(database, deviceId)).toBeNull();
    expect(network.epochsOf(deviceId)).toEqual([]);
  }
});

test('a worker that gets many wake-ups at once takes its share, and no more', async () => {
  await Promise.all(Array.from({ length: 12 }, () => linkedDevice()));
  await database.pool.query('UPDATE device_leases SET expires_at = now() - make_interval(secs => 1)');
  const [supervisor, other] = [openSupervisor(), openSupervisor()];
  await Promise.all([supervisor.renew(), other.renew()]);
  await Promise.all(Array.from({ length: 10 }, () => supervisor.balance()));
  expect(supervisor.size).toBe(6);
  expect(network.sessions).toBeLessThanOrEqual(6);
});

test('a device that is reconciled again and again while it connects has one session', async () => {
  const deviceId = await linkedDevice();
  const owner = newId('wrk');
  const [lease] = await takeLeases(database, owner, 0, 1, 1);
  const [intent] = await readIntents(database, [deviceId]);
  if (lease === undefined || intent === undefined) throw new Error('the device was not taken');
  const device = new DeviceRuntime({ ...lease, owner }, intent, resourcesWith());
  for (let i = 0; i < 50; i++) {
    device.reconcile(intent);
    await new Promise(setImmediate);
  }
  await waitUntil(() => device.isSending, { what: 'the device sends' });
  expect(network.sessions).toBe(1);
  await device.handOver();
  expect(network.epochsOf(deviceId)).toEqual([]);
});

test('a suspended account lets its devices go and gets them back', async () => {
  const { deviceId, supervisor } = await sendingDevice();
  const other = await linkedDevice();
  await supervisor.balance();
  await untilSending(supervisor, other);
  const { rows } = await database.pool.query<{ id: AccountId }>('SELECT account_id AS id FROM devices WHERE id = $1', [
    deviceId,
  ]);
  const accountId = rows[0]?.id;
  if (accountId === undefined) throw new Error('no account');
  await suspendAccount(database, accountId, 'reported');
  await supervisor.reconcile();
  await supervisor.balance();
  await waitUntil(() => supervisor.get(deviceId) === undefined, { what: 'the device is let go' });
  await waitUntil(async () => (await readLeaseOwner(database, deviceId)) === null, { what: 'the lease is released' });
  expect([network.epochsOf(deviceId), network.epochsOf(other)]).toEqual([[], [1n]]);
  expect([await readLeaseOwner(database, deviceId), await stateOf(deviceId)]).toEqual([null, 'connecting']);
  await supervisor.balance();
  expect(supervisor.get(deviceId)).toBeUndefined();
  await resumeAccount(database, accountId);
  await supervisor.balance();
  await untilSending(supervisor, deviceId);
  expect(network.epochsOf(deviceId)).toEqual([2n]);
});
