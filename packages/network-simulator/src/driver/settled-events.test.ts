import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SettledEvents } from './settled-events.js';

const handled = async () => undefined;
const refused = () => Promise.reject(new Error('the database is away'));

describe('what was handled', () => {
  let told: number[][];
  let settled: SettledEvents;

  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    settled = new SettledEvents((events) => void told.push(events));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is told alone after a quarter of a second, what was refused is not', async () => {
    await Promise.all([settled.after(1, handled()), settled.after(2, refused()), settled.after(3, handled())]);
    await vi.advanceTimersByTimeAsync(249);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([[1, 3]]);
    await settled.after(4, handled());
    await vi.advanceTimersByTimeAsync(250);
    expect(told).toEqual([[1, 3], [4]]);
  });

  test('has its own time after what a message took along, which is not told again', async () => {
    await settled.after(1, handled());
    await vi.advanceTimersByTimeAsync(130);
    expect(settled.take()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(70);
    await settled.after(2, handled());
    await vi.advanceTimersByTimeAsync(249);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([[2]]);
    expect(settled.take()).toEqual([]);
  });

  test('does not wait when it is much', async () => {
    await Promise.all(Array.from({ length: 401 }, (_, event) => settled.after(event, handled())));
    expect(told.map((events) => events.length)).toEqual([200, 200]);
  });

  test('is told at once when it is asked for, and never after the end', async () => {
    await settled.after(1, handled());
    settled.flush();
    expect(told).toEqual([[1]]);
    await settled.after(2, handled());
    settled.stop();
    await settled.after(3, handled());
    settled.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([[1]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
