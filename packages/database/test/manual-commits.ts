/** Group commits whose batches a test finishes by hand. */
import { createGroupCommit, type GroupCommitOptions } from '../src/postgres/group-commit.js';

type Batch = { readonly items: readonly number[]; finish(error?: Error): void };

/** A group whose commits the test finishes. The result of each item is ten times the item. */
export function manual(options: Partial<GroupCommitOptions<number, number>> = {}) {
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

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
export const settled = (promises: readonly Promise<number>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  );
