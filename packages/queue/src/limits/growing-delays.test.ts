import { randomBytes } from 'node:crypto';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { createGrowingDelays, type GuessCount } from './growing-delays.js';
import { useQueueFixture } from '../../test/queue-fixture.js';

const fixture = useQueueFixture();
const rule = { free: 3, firstSeconds: 60, maxSeconds: 200 };
const here: GuessCount = { name: 'here', rule };
const there: GuessCount = { name: 'there', rule };
const everywhere: GuessCount = { name: 'everywhere', rule: { ...rule, free: 5 } };
const someKey = () => randomBytes(6).toString('hex');

/** Lets the delay of a count end, as time would. */
async function endDelay(key: string, { name }: GuessCount): Promise<void> {
  await fixture().redis.hdel(`${fixture().prefix}:guesses:${key}`, `until ${name}`);
}

test('each guess after the free ones doubles the delay, up to the longest', async () => {
  const delays = createGrowingDelays(await fixture().connect());
  const key = someKey();
  for (let i = 0; i < 3; i++) expect((await delays.take(key, [here])).allowed).toBe(true);
  const waits: number[] = [];
  for (let i = 0; i < 4; i++) {
    const { allowed, retryAfterSeconds } = await delays.take(key, [here]);
    expect(allowed).toBe(false);
    waits.push(retryAfterSeconds);
    await endDelay(key, here);
    expect((await delays.take(key, [here])).allowed).toBe(true);
  }
  expect(waits.map((seconds) => Math.round(seconds / 10) * 10)).toEqual([60, 120, 200, 200]);
});

test('a refused guess makes the delay no longer', async () => {
  const delays = createGrowingDelays(await fixture().connect());
  const key = someKey();
  for (let i = 0; i < 30; i++) await delays.take(key, [here]);
  expect((await delays.take(key, [here])).retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('parallel guesses of several processes do not pass the limit', async () => {
  const processes = await Promise.all([fixture().connect(), fixture().connect()]);
  const delays = processes.map((connection) => createGrowingDelays(connection));
  const key = someKey();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => delays[i % 2]?.take(key, [here])));
  expect(answers.filter((answer) => answer?.allowed)).toHaveLength(3);
});

test('guesses from several places count together too, and a place that waits counts nowhere', async () => {
  const delays = createGrowingDelays(await fixture().connect());
  const key = someKey();
  for (let i = 0; i < 20; i++) await delays.take(key, [here, everywhere]);
  expect((await delays.take(key, [there, everywhere])).allowed).toBe(true);
  expect((await delays.take(key, [there, everywhere])).allowed).toBe(true);
  expect((await delays.take(key, [there, everywhere])).allowed).toBe(false);
});

test('one count or all counts of a key can be forgotten', async () => {
  const delays = createGrowingDelays(await fixture().connect());
  const key = someKey();
  for (let i = 0; i < 4; i++) {
    await delays.take(key, [here]);
    await delays.take(key, [there]);
  }
  await delays.forget(key, [here]);
  expect((await delays.take(key, [here])).allowed).toBe(true);
  expect((await delays.take(key, [there])).allowed).toBe(false);
  await delays.forget(key);
  expect((await delays.take(key, [there])).allowed).toBe(true);
});

test('guesses are limited while Redis is away', async () => {
  const { connection, proxy } = await fixture().connectThroughProxy();
  const delays = createGrowingDelays(connection);
  await proxy.cut();
  await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
  const key = someKey();
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push((await delays.take(key, [here])).allowed);
  expect(answers).toEqual([true, true, true, false, false]);
  await delays.forget(key, [here]);
  expect((await delays.take(key, [here])).allowed).toBe(true);
});
