import { randomBytes } from 'node:crypto';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { QueueConnection } from './connect.js';
import { createRateCounter, type RateTally } from './rate-counter.js';
import { createRateLimit, type RateLimitState } from './rate-limit.js';
import { useBench } from './testing/bench.js';

const bench = useBench();
const limitOf = (connection: QueueConnection, requestsPerMinute: number) =>
  createRateLimit(createRateCounter(connection, { requestsPerMinute }));
const someKey = () => `kk_test_${randomBytes(4).toString('hex')}`;

test('a key has its requests per minute, over all processes, and then waits for the window', async () => {
  const processes = await Promise.all([bench().connect(), bench().connect()]);
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

test('one key does not use up what another one has', async () => {
  const limit = limitOf(await bench().connect(), 1);
  const [a, b] = [someKey(), someKey()];
  await limit.take(a);
  expect(await limit.take(a)).toMatchObject({ allowed: false });
  expect(await limit.take(b)).toMatchObject({ allowed: true });
});

test('a hundred requests at once are counted one by one', async () => {
  const limit = limitOf(await bench().connect(), 60);
  const key = someKey();
  const states = await Promise.all(Array.from({ length: 100 }, () => limit.take(key)));
  expect(states.filter((state) => state?.allowed)).toHaveLength(60);
});

test('requests that come together share a question, and each hears its own place', async () => {
  const counter = createRateCounter(await bench().connect(), { requestsPerMinute: 2 });
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
  const { connection, proxy } = await bench().connectThroughProxy();
  const limit = limitOf(connection, 1);
  const key = someKey();
  await proxy.cut();
  await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
  expect([await limit.take(key), await limit.take(key)]).toEqual([null, null]);
  await proxy.restore();
  await waitUntil(() => connection.commands.status === 'ready', { what: 'the connection is back' });
  expect([await limit.take(key), await limit.take(key)]).toMatchObject([{ allowed: true }, { allowed: false }]);
});

test('a request does not wait long for a Redis that says nothing', async () => {
  const { connection, proxy } = await bench().connectThroughProxy();
  const limit = limitOf(connection, 1);
  proxy.freeze();
  const begun = performance.now();
  expect(await limit.take(someKey())).toBeNull();
  expect(performance.now() - begun).toBeLessThan(10_000);
  proxy.thaw();
});

describe('while requests keep coming', () => {
  let now: number;
  let taken: number;
  /** How many were asked for at a time. */
  let questions: number[];
  let isAway: boolean;
  /** Redis answers each question when it is called; without it at once. */
  let answers: (() => void)[] | null;
  let limit: ReturnType<typeof createRateLimit>;

  /** The window of the beginning ends after a minute. */
  function open(requestsPerMinute: number): void {
    [now, taken, questions, isAway, answers] = [0, 0, [], false, null];
    const count = async (_keyId: string, requests: number): Promise<RateTally | null> => {
      questions.push(requests);
      taken += requests;
      const tally = { limit: requestsPerMinute, taken, resetMs: 60_000 - (now % 60_000) };
      const held = answers;
      if (held !== null) await new Promise<void>((resolve) => held.push(resolve));
      return isAway ? null : tally;
    };
    limit = createRateLimit({ count }, () => now);
  }

  const settle = () => new Promise(setImmediate);

  /** One after the other, so many milliseconds apart, whether they have their answers or not; and how many had them at once. */
  async function come(requests: number, everyMs: number) {
    const states: Promise<RateLimitState | null>[] = [];
    let atOnce = 0;
    for (let i = 0; i < requests; i++) {
      const state = limit.take('kk_test');
      states.push(state);
      const first = await Promise.race([state.then(() => 'heard'), Promise.resolve().then(() => 'waits')]);
      if (first === 'heard') atOnce++;
      now += everyMs;
      await settle();
      await settle();
    }
    return { states: await Promise.all(states), atOnce };
  }

  const remaining = (states: readonly (RateLimitState | null)[]) => states.map((state) => state?.remaining);
  const inTurn = (from: number, many: number) => Array.from({ length: many }, (_, i) => from - i);

  test('hardly any of them waits for Redis, and each has a permit of its own', async () => {
    open(100_000);
    const { states, atOnce } = await come(10_000, 1);
    expect(remaining(states)).toEqual(inTurn(99_999, 10_000));
    expect(atOnce).toBeGreaterThan(9_900);
    expect(questions.length).toBeLessThan(1_000);
    expect(taken - 10_000).toBeLessThanOrEqual(100);
  });

  test('those that arrive while it answers have what was reserved with the question, and no permit has two', async () => {
    open(100_000);
    await come(200, 1);
    answers = [];
    const held: Promise<RateLimitState | null>[] = [];
    for (let i = 0; i < 150; i++) held.push(limit.take('kk_test'));
    await settle();
    expect(answers).toHaveLength(1);
    for (let i = 0; i < 50; i++) held.push(limit.take('kk_test'));
    answers.shift()?.();
    answers = null;
    const states = await Promise.all(held);
    expect(remaining(states)).toEqual(inTurn(99_799, 200));
  });

  test('exactly as many pass as may, however fast they come', async () => {
    open(1_000);
    const { states } = await come(1_500, 1);
    expect(states.filter((state) => state?.allowed)).toHaveLength(1_000);
    expect(states.findIndex((state) => state?.allowed === false)).toBe(1_000);
  });

  test('those that come now and then are counted one by one', async () => {
    open(6_000);
    await come(100, 100);
    expect(questions).toEqual(Array.from({ length: 100 }, () => 1));
  });

  test('a burst reserves no more than came with it', async () => {
    open(100_000);
    await Promise.all(Array.from({ length: 20 }, () => limit.take('kk_test')));
    now += 1;
    await Promise.all(Array.from({ length: 20 }, () => limit.take('kk_test')));
    await settle();
    expect(taken).toBeLessThanOrEqual(80);
  });

  test.each([
    [59_500, 98_999, 1],
    [60_000, 99_999, 60],
  ])('permits end with their window, not before: after %i ms', async (at, left, resetSeconds) => {
    open(100_000);
    now = 58_500;
    await come(1_000, 1);
    expect(taken).toBeGreaterThan(1_000);
    if (at === 60_000) taken = 0; // Redis begins a new window
    now = at;
    expect(await limit.take('kk_test')).toMatchObject({ remaining: left, resetSeconds });
  });

  test('after a pause the key asks what others took', async () => {
    open(100_000);
    await come(1_000, 1);
    taken += 50_000;
    now += 1_000;
    const [first, second] = [await limit.take('kk_test'), await limit.take('kk_test')];
    expect(remaining([first, second])).toEqual(inTurn(48_999, 2));
  });

  test('an answer that never came reserves nothing more until there is one', async () => {
    open(100_000);
    await come(500, 1);
    isAway = true;
    await come(200, 1);
    const asked = questions.length;
    expect((await come(20, 1)).states).toEqual(Array.from({ length: 20 }, () => null));
    expect(questions.slice(asked)).toEqual(Array.from({ length: 20 }, () => 1));
    isAway = false;
    expect((await come(1, 1)).states[0]).toMatchObject({ allowed: true });
  });
});

test('processes that share a key never let more pass together than may', async () => {
  const processes = await Promise.all([bench().connect(), bench().connect()]);
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
  // Both came back for what they had reserved.
  expect(allowed).toBe(2_000);
});
