import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { manual, settled, turn } from '../../test/manual-commits.js';
import { createGroupCommit, Overloaded } from './group-commit.js';

describe('a group commit', () => {
  test('shares one commit among items that arrive together and returns to each its own result', async () => {
    const { group, batches, sizes } = manual();
    const answers = [1, 2, 3].map((item) => group.submit(item));
    await turn();
    expect(sizes()).toEqual([3]);
    batches[0]?.finish();
    expect(await settled(answers)).toEqual([10, 20, 30]);
  });

  describe('with a least time between batches', () => {
    /** A group whose first batch has begun. The test moves the clock. */
    async function begun() {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const made = manual({ everyMs: 50, writers: 2, maxItems: 3, maxWaiting: 20 });
      const answers = [made.group.submit(1)];
      await turn();
      expect(made.sizes()).toEqual([1]);
      return { ...made, answers };
    }

    test('begins the second batch no sooner, and items that arrive before share it', async () => {
      const { group, batches, sizes, answers } = await begun();
      answers.push(group.submit(2));
      await turn();
      vi.advanceTimersByTime(49);
      answers.push(group.submit(3));
      await turn();
      expect(sizes()).toEqual([1]);
      vi.advanceTimersByTime(1);
      expect(sizes()).toEqual([1, 2]);
      for (const batch of batches) batch.finish();
      expect(await settled(answers)).toEqual([10, 20, 30]);
    });

    test('begins a full batch at once', async () => {
      const { group, sizes } = await begun();
      void group.submit(2);
      await turn();
      for (const item of [3, 4]) void group.submit(item);
      await turn();
      expect(sizes()).toEqual([1, 3]);
    });

    test('is not idle while an item waits for its time', async () => {
      const { group, batches, answers } = await begun();
      batches[0]?.finish();
      await Promise.all(answers);
      const last = group.submit(7);
      let idle = false;
      void group.idle().then(() => (idle = true));
      await turn();
      expect(idle).toBe(false);
      vi.advanceTimersByTime(50);
      batches[1]?.finish();
      expect(await last).toBe(70);
      await group.idle();
    });
  });

  test('is idle when nothing waits and nothing is being committed', async () => {
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

  test('gathers items while its writers are busy, never more than the limit', async () => {
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

  test('rejects items above its limit, takes more when there is room, and loses no item that it took', async () => {
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

  test('tries each item of a bad batch alone, so that only the bad item fails', async () => {
    const group = createGroupCommit<number, number>({
      maxItems: 10,
      writers: 1,
      maxWaiting: 10,
      isItemFault: () => true,
      commit: (items) => (items.includes(3) ? Promise.reject(new Error('poison')) : Promise.resolve(items)),
    });
    expect(await settled([1, 2, 3, 4].map((item) => group.submit(item)))).toEqual([1, 2, 'Error: poison', 4]);
  });

  test('fails a whole batch when the database is away, without one try for each item', async () => {
    const { group, batches, sizes } = manual({ isItemFault: () => false });
    const answers = [1, 2, 3].map((item) => group.submit(item));
    await turn();
    batches[0]?.finish(new Error('away'));
    expect(await settled(answers)).toEqual(Array(3).fill('Error: away'));
    expect(sizes()).toEqual([3]);
  });
});
