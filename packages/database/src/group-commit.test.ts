import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGroupCommit, type GroupCommitOptions, Overloaded } from './group-commit.js';

type Batch = { readonly items: readonly number[]; finish(error?: Error): void };

/** A commit that the test finishes by hand; each item's result is itself times ten. */
function manual(options: Partial<GroupCommitOptions<number, number>> = {}) {
  const batches: Batch[] = [];
  const group = createGroupCommit<number, number>({
    maxItems: 4,
    writers: 1,
    maxWaiting: 6,
    isItemFault: () => true,
    commit: (items) =>
      new Promise((resolve, reject) => {
        batches.push({
          items,
          finish: (error) => (error === undefined ? resolve(items.map((item) => item * 10)) : reject(error)),
        });
      }),
    ...options,
  });
  return { group, batches, sizes: () => batches.map((batch) => batch.items.length) };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const settled = (promises: readonly Promise<number>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  );

describe('a group commit', () => {
  test('shares one commit among what arrives together and answers each item its own', async () => {
    const { group, batches, sizes } = manual();
    const answers = [1, 2, 3].map((item) => group.submit(item));
    await turn();
    expect(sizes()).toEqual([3]);
    batches[0]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30]);
  });

  test('with a time from one batch to the next begins the first at once and the second no sooner than that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { group, batches, sizes } = manual({ restMs: (tookMs) => 50 - tookMs });
    const answers = [group.submit(1)];
    await turn();
    expect(sizes()).toEqual([1]);
    batches[0]?.finish();
    await turn();
    answers.push(group.submit(2));
    vi.advanceTimersByTime(49);
    await turn();
    expect(sizes()).toEqual([1]);
    answers.push(group.submit(3));
    vi.advanceTimersByTime(1);
    expect(sizes()).toEqual([1, 2]);
    batches[1]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30]);
  });

  test('that rests by what a batch took begins none until then, whatever arrives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { group, batches, sizes } = manual({ restMs: (tookMs) => 3 * tookMs });
    const answers = [group.submit(1), group.submit(2)];
    await turn();
    vi.advanceTimersByTime(20);
    batches[0]?.finish();
    await turn();
    answers.push(group.submit(3));
    vi.advanceTimersByTime(59);
    await turn();
    expect(sizes()).toEqual([2]);
    vi.advanceTimersByTime(1);
    expect(sizes()).toEqual([2, 1]);
    batches[1]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30]);
  });

  describe('that is spaced', () => {
    /** One batch of `size` whose commit took 5 ms, then one that has begun. */
    async function afterBatchOf(size: number, tookMs = 5) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const made = manual({ spaced: true, writers: 2, maxItems: 8, maxWaiting: 20 });
      const first = made.group.submit(0);
      await turn();
      vi.advanceTimersByTime(tookMs);
      made.batches[0]?.finish();
      await first;
      const second = Array.from({ length: size }, (_, n) => made.group.submit(n));
      await turn();
      return { ...made, begun: () => made.sizes().slice(1), second };
    }

    test.each([
      ['of two', 2, 3],
      ['of three', 3, 6],
      ['of seven', 7, 10],
    ])('begins the batch after one %s some ms later, and what comes meanwhile shares it', async (_, size, ms) => {
      const { group, begun } = await afterBatchOf(size);
      void group.submit(1);
      vi.advanceTimersByTime(ms - 1);
      void group.submit(2);
      await turn();
      expect(begun()).toEqual([size]);
      vi.advanceTimersByTime(1);
      expect(begun()).toEqual([size, 2]);
    });

    test.each([
      ['of one', 1, 5],
      ['that is full', 8, 5],
      ['of several whose commits are quick', 4, 0],
    ])('begins the batch after one %s at once', async (_, size, tookMs) => {
      const { group, begun } = await afterBatchOf(size, tookMs);
      void group.submit(1);
      await turn();
      expect(begun()).toEqual([size, 1]);
    });

    test('begins a full batch at once, also where a smaller one would wait', async () => {
      const { group, begun } = await afterBatchOf(7);
      for (let n = 0; n < 8; n++) void group.submit(n);
      await turn();
      expect(begun()).toEqual([7, 8]);
    });

    test('is not idle while something waits for its time', async () => {
      const { group, batches, second } = await afterBatchOf(2);
      const last = group.submit(7);
      batches[1]?.finish();
      await Promise.all(second);
      let idle = false;
      void group.idle().then(() => (idle = true));
      await turn();
      expect(idle).toBe(false);
      vi.advanceTimersByTime(3);
      batches[2]?.finish();
      expect(await last).toBe(70);
      await group.idle();
    });
  });

  describe('some of whose items are held', () => {
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

  test('is idle once nothing waits and nothing is being committed', async () => {
    const { group, batches } = manual();
    await group.idle();
    const answers = [1, 2, 3, 4, 5].map((item) => group.submit(item));
    let idle = false;
    const told = group.idle().then(() => {
      idle = true;
    });
    await turn();
    batches[0]?.finish();
    await turn();
    await turn();
    expect([batches.length, idle]).toEqual([2, false]);
    batches[1]?.finish(new Error('refused'));
    await told;
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 'Error: refused']);
  });

  test('gathers while its writers are busy, never more than the limit', async () => {
    const { group, batches, sizes } = manual();
    const answers = [group.submit(1)];
    await turn();
    for (const item of [2, 3, 4, 5, 6, 7]) answers.push(group.submit(item));
    await turn();
    expect(sizes()).toEqual([1]);
    batches[0]?.finish();
    await turn();
    await turn();
    expect(sizes()).toEqual([1, 4]);
    batches[1]?.finish();
    await turn();
    await turn();
    expect(sizes()).toEqual([1, 4, 2]);
    batches[2]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30, 40, 50, 60, 70]);
  });

  test('writes with several writers at once', async () => {
    const { group, sizes } = manual({ writers: 2, maxItems: 1 });
    for (const item of [1, 2, 3]) void group.submit(item);
    await turn();
    expect(sizes()).toEqual([1, 1]);
  });

  test('asks how many writers there may be whenever one could begin', async () => {
    let allowed = 1;
    const { group, batches, sizes } = manual({ writers: () => allowed, maxItems: 1 });
    for (const item of [1, 2, 3]) void group.submit(item);
    await turn();
    expect(sizes()).toEqual([1]);
    allowed = 2;
    batches[0]?.finish();
    await turn();
    await turn();
    expect(sizes()).toEqual([1, 1, 1]);
  });

  test('tells for how long nothing has been submitted', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { group } = manual();
    expect(group.quietMs()).toBe(Number.POSITIVE_INFINITY);
    void group.submit(1);
    vi.advanceTimersByTime(30);
    expect(group.quietMs()).toBe(30);
  });

  test('refuses what is too much, takes more when there is room, and loses nothing that it took', async () => {
    const { group, batches } = manual();
    const answers = [group.submit(0)];
    await turn();
    for (const item of [1, 2, 3, 4, 5, 6]) answers.push(group.submit(item));
    await expect(group.submit(7)).rejects.toBeInstanceOf(Overloaded);
    batches[0]?.finish();
    await turn();
    await turn();
    answers.push(group.submit(8));
    batches[1]?.finish();
    await turn();
    await turn();
    batches[2]?.finish();
    expect(await settled(answers)).toEqual([0, 10, 20, 30, 40, 50, 60, 80]);
  });

  test('tries a batch with a bad item one by one, so that it fails alone', async () => {
    const group = createGroupCommit<number, number>({
      maxItems: 10,
      writers: 1,
      maxWaiting: 10,
      isItemFault: () => true,
      commit: (items) => (items.includes(3) ? Promise.reject(new Error('poison')) : Promise.resolve(items)),
    });
    expect(await settled([1, 2, 3, 4].map((item) => group.submit(item)))).toEqual([1, 2, 'Error: poison', 4]);
  });

  test('fails a batch as a whole when the database is away, without asking it once per item', async () => {
    const { group, batches, sizes } = manual({ isItemFault: () => false });
    const answers = [1, 2, 3].map((item) => group.submit(item));
    await turn();
    batches[0]?.finish(new Error('away'));
    expect(await settled(answers)).toEqual(Array(3).fill('Error: away'));
    expect(sizes()).toEqual([3]);
  });
});
