import { newId } from '@kurir/contracts';
import type { Turn } from '@kurir/queue';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOtpListening, type OtpListening } from './otp-listening.js';

describe('an open lane', () => {
  let listening: OtpListening;
  let ring: (() => void) | null;
  let listened: number;
  let turns: Turn[];
  let taken: number;
  let filled: number;
  let open: boolean;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    ring = null;
    [listened, taken, filled, open] = [0, 0, 0, true];
    turns = [];
    listening = createOtpListening({
      listen(onRing) {
        listened++;
        ring = onRing;
        return () => {
          ring = null;
        };
      },
      takeTurn: async () => {
        taken++;
        return turns.shift() ?? 'done';
      },
      fill: () => void filled++,
      goesOn: () => open,
      now: () => performance.now(),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function comeAfter(...pausesMs: number[]): void {
    for (const ms of pausesMs) {
      vi.advanceTimersByTime(ms);
      void listening.duringJob(newId('msg'), async () => 'done');
    }
  }

  test('listens from the second job within two seconds on, once', () => {
    comeAfter(0, 2_000, 1_999);
    expect(listened).toBe(1);
    comeAfter(10, 10);
    expect(listened).toBe(1);
  });

  test('does not listen because one job is given its turn again and again', async () => {
    const job = newId('msg');
    for (let n = 0; n < 5; n++) await listening.duringJob(job, async () => 'again');
    expect(listened).toBe(0);
  });

  test('listens where a turn takes longer than two seconds, and the next job is there at its end', async () => {
    const long = async () => {
      vi.advanceTimersByTime(3_000);
      return 'done' as const;
    };
    await listening.duringJob(newId('msg'), long);
    expect(listened).toBe(0);
    await listening.duringJob(newId('msg'), long);
    expect(listened).toBe(1);
  });

  test('listens at once while a turn of others goes on, until two seconds after it', () => {
    listening.duringOthers();
    expect(listened).toBe(1);
    vi.advanceTimersByTime(1_000);
    listening.duringOthers();
    expect(listened).toBe(1);
    vi.advanceTimersByTime(1_999);
    expect(ring).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(ring).toBeNull();
  });

  test('that is closed or keeps a pace does not listen for what comes during a turn of others', () => {
    open = false;
    listening.duringOthers();
    expect(listened).toBe(0);
  });

  test('that gets a job every two seconds does not listen', () => {
    comeAfter(0, 2_000, 2_000, 2_000);
    expect(listened).toBe(0);
  });

  test('stops once two seconds are quiet, and begins anew', () => {
    comeAfter(0, 10);
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(1_900);
      ring?.();
    }
    expect(taken).toBe(5);
    vi.advanceTimersByTime(1_999);
    expect(ring).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(ring).toBeNull();
    comeAfter(0, 10);
    expect(listened).toBe(2);
  });

  test('takes turns for a ring until they are over', async () => {
    comeAfter(0, 10);
    turns = ['again', 'again', 'done', 'again'];
    ring?.();
    await vi.runAllTimersAsync();
    expect([taken, filled]).toEqual([3, 0]);
  });

  test('takes none once it is closed or keeps a pace: it has itself filled, and listens no more', async () => {
    comeAfter(0, 10);
    const late = ring;
    open = false;
    late?.();
    await vi.runAllTimersAsync();
    expect([taken, filled, ring]).toEqual([0, 1, null]);
    comeAfter(0, 10);
    expect(listened).toBe(1);
  });

  test('that is closed or gets a pace between two turns of a ring has itself filled', async () => {
    comeAfter(0, 10);
    turns = ['again'];
    ring?.();
    open = false;
    await vi.runAllTimersAsync();
    expect([taken, filled, ring]).toEqual([1, 1, null]);
  });

  test('that is ended listens no more, and may be ended twice', () => {
    comeAfter(0, 10);
    listening.end();
    listening.end();
    expect(ring).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });
});
