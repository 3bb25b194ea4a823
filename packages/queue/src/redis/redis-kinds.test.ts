/** Everything that Kurir does with Redis, on each kind of Redis, before and after the loss of a server. */
import { type DeviceId, newId } from '@kurir/contracts';
import { hasRedisServer, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useQueueFixture } from '../../test/queue-fixture.js';
import { type RedisUnderTest, redisKinds } from '../../test/redis-kinds.js';
import { countTickets } from '../lanes/count-tickets.js';
import { fillLanes } from '../lanes/fill-lanes.js';
import { readTicketCounts } from '../lanes/lane-tickets.js';
import { createAttemptLimits } from '../limits/attempt-limits.js';
import { createGrowingDelays } from '../limits/growing-delays.js';
import { createRateCounter } from '../limits/rate-counter.js';
import { onLiveSignal, createLiveSignal } from '../signals/live-signal.js';
import { callPresence, servePresence } from '../signals/presence.js';
import { serveWakeUps, wakeOwner } from '../signals/wake-up.js';
import type { QueueConnection } from './connect.js';
import { findRedisFaults, readRedisState } from './redis-health.js';
import { findWrongRedis } from './wrong-redis.js';

const fixture = useQueueFixture();
const within = { timeoutMs: 60_000 };

const devices = (count: number) => Array.from({ length: count }, () => newId('dev'));
const fail = (_deviceId: DeviceId, error: unknown) => {
  throw error;
};

/** Opens a lane of each device. Returns the devices whose tickets were taken. */
function openLanes(connection: QueueConnection, deviceIds: readonly DeviceId[]): DeviceId[] {
  const taken: DeviceId[] = [];
  const shared = connection.openForLanes();
  for (const deviceId of deviceIds)
    fixture().lane(connection, deviceId, { take: async (ticket) => (taken.push(ticket.deviceId), 'done') }, shared);
  return taken;
}

/** Makes tickets again and again, as the sweep does, until each of these devices has had a turn. */
async function untilAllHadATurn(connection: QueueConnection, deviceIds: readonly DeviceId[], taken: DeviceId[]) {
  const left = () => deviceIds.filter((deviceId) => !taken.includes(deviceId));
  const sweep = async () => {
    const due = left().map((deviceId) => fixture().ticket(deviceId));
    await fillLanes(connection, due, () => undefined).catch(() => 0);
    return left().length === 0;
  };
  await waitUntil(sweep, { what: 'all lanes had a turn', everyMs: 250, ...within });
}

describe.skipIf(!hasRedisServer).each(redisKinds)(`$name`, ({ heals, name, start }) => {
  let redis: RedisUnderTest;
  beforeAll(async () => {
    redis = await start();
  }, 90_000);
  afterAll(() => redis.stop());
  const connect = () => fixture().connect(redis.address);

  test('is not refused', async () => {
    const connection = await connect();
    expect(await findWrongRedis(connection)).toEqual([]);
    expect(await findRedisFaults(connection)).toEqual([]);
    expect(await readRedisState(connection)).toBe('up');
  });

  test('holds the tickets of many lanes on all of its servers, and each lane takes its own', async () => {
    const [api, worker] = [await connect(), await connect()];
    const deviceIds = devices(30);
    const tickets = deviceIds.flatMap((id) => [0, 1, 2].map((priority) => fixture().ticket(id, priority)));
    await fixture().offer(api, ...tickets);
    for (const names of await redis.keys()) expect(names.some((key) => key.includes(':lane:'))).toBe(true);
    const counts = await countTickets(api, deviceIds);
    expect([...(counts?.values() ?? [])]).toEqual(deviceIds.map(() => 3));
    const taken = openLanes(worker, deviceIds);
    await waitUntil(() => taken.length === 90, { what: 'all were taken', ...within });
    for (const deviceId of deviceIds) expect(taken.filter((one) => one === deviceId)).toHaveLength(3);
    for (const deviceId of deviceIds) expect(await readTicketCounts(api, deviceId)).toEqual([0, 0, 0]);
  });

  test('fills each lane once from Postgres', async () => {
    const connection = await connect();
    const due = devices(12).map((deviceId) => fixture().ticket(deviceId));
    expect(await fillLanes(connection, due, fail)).toBe(12);
    expect(await fillLanes(connection, due, fail)).toBe(0);
  });

  test('counts requests, attempts and guesses of many keys for all processes together', async () => {
    const [one, other] = [await connect(), await connect()];
    const counters = [one, other].map((connection) => createRateCounter(connection, { requestsPerMinute: 3 }));
    const limits = [one, other].map(createAttemptLimits);
    const delays = [one, other].map(createGrowingDelays);
    const counts = [{ name: 'here', rule: { free: 2, firstSeconds: 60, maxSeconds: 600 } }];
    for (let i = 0; i < 12; i++) {
      const key = `${name} ${i}`;
      for (const counter of counters) await counter.count(key, 2);
      expect(await counters[0]?.count(key, 1)).toMatchObject({ taken: 5, limit: 3 });
      for (const limit of limits) expect((await limit.take(key, { max: 2, windowSeconds: 60 })).allowed).toBe(true);
      expect((await limits[0]?.take(key, { max: 2, windowSeconds: 60 }))?.allowed).toBe(false);
      for (const delay of delays) expect((await delay.take(key, counts)).allowed).toBe(true);
      expect((await delays[0]?.take(key, counts))?.allowed).toBe(false);
      await delays[1]?.forget(key);
      expect((await delays[0]?.take(key, counts))?.allowed).toBe(true);
    }
  });

  test('passes wake-ups, live signals and typing on, each once, from any connection to any other', async () => {
    const workers = await Promise.all([0, 1, 2, 3].map(connect));
    const [woken, rings, typed] = [[] as string[], [] as string[], [] as string[]];
    for (const [i, worker] of workers.entries()) {
      await serveWakeUps(worker, (deviceId) => void woken.push(`${i} ${deviceId}`));
      await onLiveSignal(worker, () => void rings.push(`${i}`));
      const handle = async () => (typed.push(`${i}`), 'taken' as const);
      await servePresence(worker, `wrk_${i}`, handle, () => undefined);
    }
    const api = await connect();
    const [deviceId] = devices(1) as [DeviceId];
    await wakeOwner(api, deviceId);
    createLiveSignal(api)();
    await waitUntil(() => woken.length === 4 && rings.length === 4, { what: 'all heard both', ...within });
    expect(woken.toSorted()).toEqual([0, 1, 2, 3].map((i) => `${i} ${deviceId}`));
    for (const i of [0, 1, 2, 3]) {
      const call = { deviceId, owner: `wrk_${i}`, recipient: '6281234567890', action: 'start' } as const;
      expect(await callPresence(api, call, 10_000)).toBe('taken');
    }
    expect(typed).toEqual(['0', '1', '2', '3']);
  });

  test(`loses a server${heals ? ', replaces it' : ' until it is back'}, and everything continues over the same connections`, async () => {
    const [api, worker] = [await connect(), await connect()];
    const deviceIds = devices(9);
    const [first] = deviceIds as [DeviceId];
    const taken = openLanes(worker, deviceIds);
    const woken: string[] = [];
    await serveWakeUps(worker, (deviceId) => void woken.push(deviceId));
    await servePresence(
      worker,
      'wrk_lost',
      async () => 'taken',
      () => undefined,
    );
    await untilAllHadATurn(api, deviceIds, taken);
    fixture().errors.length = 0;

    await redis.lose(first);
    if (!heals) {
      await waitUntil(async () => (await readRedisState(api)) !== 'up', { what: 'the loss is seen', ...within });
      await redis.repair();
    }
    await waitUntil(async () => (await readRedisState(api)) === 'up', { what: 'Redis is up again', ...within });
    taken.length = 0;
    await untilAllHadATurn(api, deviceIds, taken);
    await waitUntil(async () => (await wakeOwner(api, first), woken.includes(first)), { what: 'woken', ...within });
    const call = { deviceId: first, owner: 'wrk_lost', recipient: '6281234567890', action: 'start' } as const;
    await waitUntil(async () => (await callPresence(api, call, 1_000)) === 'taken', { what: 'typing', ...within });
    if (heals) await redis.repair();
    taken.length = 0;
    await untilAllHadATurn(api, deviceIds, taken);
    expect(await readRedisState(api)).toBe('up');
    // Two processes, each with a handful of different errors, and nine lanes.
    expect(fixture().errors.length).toBeLessThan(100);
  }, 120_000);
});
