import { createLogger } from '@kurir/logging';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadLoop } from './read-loop.js';

const logger = createLogger({ name: 'test', level: 'fatal', pretty: false });

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('signals that keep coming do not put the reading off', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return false;
  };
  const loop = createReadLoop({ isIdle: () => false, read, logger });
  for (let ms = 0; ms < 5_000; ms += 100) {
    loop.signal();
    await vi.advanceTimersByTimeAsync(100);
  }
  loop.stop();
  expect(reads).toBeGreaterThan(15);
});

test('a signal moves a reading forward that is planned for later', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return false;
  };
  const loop = createReadLoop({ isIdle: () => false, read, logger });
  loop.wake();
  await vi.advanceTimersByTimeAsync(200);
  loop.signal();
  await vi.advanceTimersByTimeAsync(200);
  loop.stop();
  expect(reads).toBe(2);
});
