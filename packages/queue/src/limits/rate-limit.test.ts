import { randomBytes } from 'node:crypto';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { QueueConnection } from '../redis/connect.js';
import { createRateCounter } from './rate-counter.js';
import { createRateLimit } from './rate-limit.js';
import { useQueueFixture } from '../../test/queue-fixture.js';

const fixture = useQueueFixture();
const limitOf = (connection: QueueConnection, requestsPerMinute: number) =>
  createRateLimit(createRateCounter(connection, { requestsPerMinute }));
const someKey = () => `kk_test_${randomBytes(4).toString('hex')}`;

test('a key may make its requests per minute over all processes, and then waits for the next window', async () => {
  const processes = await Promise.all([fixture().connect(), fixture().connect()]);
  const limits = processes.map((connection) => limitOf(connection, 3));
  const key = someKey();
  const states = [];
  for (let i = 0; i < 5; i++) states.push(await limits[i % 2]?.take(key));
  expect(states.map((state) => [state?.allowed, state?.remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
    [false, 0],
  ]);
  for (const state of states) {
    expect(state?.limit).toBe(3);
    expect(state?.resetSeconds).toBeGreaterThan(50);
    expect(state?.resetSeconds).toBeLessThanOrEqual(60);
  }
});

test('one key does not use the requests of another key', async () => {
  const limit = limitOf(await fixture().connect(), 1);
  const [a, b] = [someKey(), someKey()];
  await limit.take(a);
  expect(await limit.take(a)).toMatchObject({ allowed: false });
  expect(await limit.take(b)).toMatchObject({ allowed: true });
});

test('a hundred requests at once are counted one by one', async () => {
  const limit = limitOf(await fixture().connect(), 60);
  const key = someKey();
  const states = await Promise.all(Array.from({ length: 100 }, () => limit.take(key)));
  expect(states.filter((state) => state?.allowed)).toHaveLength(60);
});

test('requests at the same moment share one call, and each gets its own place', async () => {
  const counter = createRateCounter(await fixture().connect(), { requestsPerMinute: 2 });
  const questions: number[] = [];
  const limit = createRateLimit({
    count(keyId, requests) {
      questions.push(requests);
      return counter.count(keyId, requests);
    },
  });
  const key = someKey();
  const states = await Promise.all([limit.take(key), limit.take(key), limit.take(key), limit.take(someKey())]);
  expect(questions).toEqual([3, 1]);
  expect(states.map((state) => [state?.allowed, state?.remaining])).toEqual([
    [true, 1],
    [true, 0],
    [false, 0],
    [true, 1],
  ]);
});

test('requests pass while Redis is away, and are counted again when it is back', async () => {
  const { connection, proxy } = await fixture().connectThroughProxy();
  const limit = limitOf(connection, 1);
  const key = someKey();
  await proxy.cut();
  await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
  expect([await limit.take(key), await limit.take(key)]).toEqual([null, null]);
  await proxy.restore();
  await waitUntil(() => connection.commands.status === 'ready', { what: 'the connection is back' });
  expect([await limit.take(key), await limit.take(key)]).toMatchObject([{ allowed: true }, { allowed: false }]);
});

test('a request does not wait long for a silent Redis', async () => {
  const { connection, proxy } = await fixture().connectThroughProxy();
  const limit = limitOf(connection, 1);
  proxy.freeze();
  const begun = performance.now();
  expect(await limit.take(someKey())).toBeNull();
  expect(performance.now() - begun).toBeLessThan(10_000);
  proxy.thaw();
});

test('processes that share a key never let more requests pass than the limit', async () => {
  const processes = await Promise.all([fixture().connect(), fixture().connect()]);
  const limits = processes.map((connection) => limitOf(connection, 2_000));
  const key = someKey();
  let allowed = 0;
  const use = async (limit: ReturnType<typeof limitOf>) => {
    for (let round = 0; round < 300; round++) {
      const states = await Promise.all(Array.from({ length: 5 }, () => limit.take(key)));
      allowed += states.filter((state) => state?.allowed).length;
    }
  };
  await Promise.all(limits.map(use));
  expect(allowed).toBe(2_000);
});
