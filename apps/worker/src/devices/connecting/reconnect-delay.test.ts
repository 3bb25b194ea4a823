import { expect, test } from 'vitest';
import { createReconnectDelay } from './reconnect-delay.js';

function delays(random: () => number, now: () => number = () => 0) {
  const delay = createReconnectDelay(random, now);
  return { delay, take: (count: number) => Array.from({ length: count }, () => delay.next()) };
}

test('the first delay is zero, the next ones double, and none is longer than a minute', () => {
  expect(delays(() => 1).take(10)).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('a delay is at least half of its most, so that devices do not connect at the same time', () => {
  expect(delays(() => 0).take(4)).toEqual([0, 250, 500, 1_000]);
});

test('a device that is replaced again waits for seconds, even after a long connection; the first time it does not', () => {
  let now = 0;
  const { delay } = delays(
    () => 1,
    () => now,
  );
  for (const [times, waitMs] of [
    [1, 0],
    [2, 10_000],
    [3, 10_000],
  ] as const) {
    delay.connected();
    now += 60_000;
    expect(delay.next(times)).toBe(waitMs);
  }
});

test('a connection of ten seconds resets the delay, and a shorter one does not', () => {
  let now = 0;
  const { delay, take } = delays(
    () => 1,
    () => now,
  );
  expect(take(3)).toEqual([0, 500, 1_000]);
  delay.connected();
  now += 9_999;
  expect(delay.next()).toBe(2_000);
  delay.connected();
  now += 10_000;
  expect(take(2)).toEqual([0, 500]);
});
