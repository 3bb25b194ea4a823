import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGroupCommit, Overloaded } from './group-commit.js';
import { manual, settled, turn } from './testing/manual-commits.js';

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
