import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { manual, settled, turn } from './testing/manual-commits.js';

describe('a group commit of which some items are held', () => {
  const holding = (...items: number[]) => {
    const held = new Set(items);
    const isHeld = vi.fn<(item: number) => boolean>((item) => held.has(item));
    return { held, isHeld, ...manual({ isHeld }) };
  };

  test('has the others go first, and those in their order, before what came later, once they may', async () => {
    const { group, batches, held } = holding(1, 3);
    const answers = [1, 2, 3, 4, 5, 6].map((item) => group.submit(item));
    await turn();
    answers.push(group.submit(7));
    held.clear();
    group.look();
    batches[0]?.finish();
    await vi.waitUntil(() => batches.length === 2);
    batches[1]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(batches.map(({ items }) => items)).toEqual([
      [2, 4, 5, 6],
      [1, 3, 7],
    ]);
  });

  test('commits nothing and is not idle while all are held, and goes on when it is told to look', async () => {
    const { group, batches, held, isHeld, sizes } = holding(1, 2);
    const answers = [group.submit(1), group.submit(2)];
    let isIdle = false;
    const idle = group.idle().then(() => (isIdle = true));
    for (let i = 0; i < 5; i++) await turn();
    // Once each, and not again and again.
    expect(isHeld).toHaveBeenCalledTimes(2);
    group.look();
    await turn();
    expect(sizes()).toEqual([]);
    held.delete(2);
    group.look();
    await turn();
    batches[0]?.finish();
    expect(await answers[1]).toBe(20);
    await turn();
    expect(isIdle).toBe(false);
    held.clear();
    group.look();
    await turn();
    batches[1]?.finish();
    await idle;
    expect(await answers[0]).toBe(10);
  });

  test('goes through those that are held once in a rest, however many come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const held = new Set([1, 2, 3]);
    const isHeld = vi.fn<(item: number) => boolean>((item) => held.has(item));
    const { group, batches, sizes } = manual({ isHeld, restMs: (tookMs) => 50 - tookMs });
    const answers = [];
    for (const item of held) {
      answers.push(group.submit(item));
      await turn();
      group.look();
      await turn();
    }
    expect(isHeld).toHaveBeenCalledTimes(1);
    held.clear();
    vi.advanceTimersByTime(50);
    expect(sizes()).toEqual([3]);
    batches[0]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30]);
  });

  test('keeps their place before what did not fit into the batch that they were left out of', async () => {
    const { group, batches, held } = holding(1);
    const answers = [1, 2, 3, 4, 5, 6].map((item) => group.submit(item));
    await turn();
    held.clear();
    batches[0]?.finish();
    await vi.waitUntil(() => batches.length === 2);
    batches[1]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(batches.map(({ items }) => items)).toEqual([
      [2, 3, 4, 5],
      [1, 6],
    ]);
  });

  test('has more of them than a batch takes go in their order', async () => {
    const { group, batches, held } = holding(1, 2, 3, 4, 5);
    const answers = [1, 2, 3, 4, 5].map((item) => group.submit(item));
    await turn();
    answers.push(group.submit(6));
    await turn();
    held.clear();
    batches[0]?.finish();
    await vi.waitUntil(() => batches.length === 2);
    answers.push(group.submit(7));
    batches[1]?.finish();
    await vi.waitUntil(() => batches.length === 3);
    batches[2]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(batches.map(({ items }) => items)).toEqual([[6], [1, 2, 3, 4], [5, 7]]);
  });

  test('counts those among what may wait, and takes no more in a batch than its limit', async () => {
    const { group, batches, held, sizes } = holding(1, 2, 3);
    const answers = [1, 2, 3, 4, 5, 6].map((item) => group.submit(item));
    expect(await settled([group.submit(7)])).toEqual(['Overloaded: 6 items wait']);
    await turn();
    expect(sizes()).toEqual([3]);
    answers.push(group.submit(8), group.submit(9), group.submit(10));
    expect(await settled([group.submit(11)])).toEqual(['Overloaded: 6 items wait']);
    held.clear();
    batches[0]?.finish();
    await vi.waitUntil(() => batches.length === 2);
    batches[1]?.finish();
    await vi.waitUntil(() => batches.length === 3);
    batches[2]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 50, 60, 80, 90, 100]);
    expect(batches.map(({ items }) => items)).toEqual([
      [4, 5, 6],
      [1, 2, 3, 8],
      [9, 10],
    ]);
  });
});
