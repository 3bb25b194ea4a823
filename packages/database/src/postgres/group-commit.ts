/**
 * Shares one transaction among requests that arrive together. An idle writer starts at once. While all writers are
 * busy, requests gather for the next free one, up to `maxItems`. So batches grow with the load.
 *
 * If Postgres refuses a batch, each item is tried alone, so that one bad item fails alone.
 */
export type GroupCommitOptions<Item, Result> = {
  readonly maxItems: number;
  /** Transactions at the same time. */
  readonly writers: number;
  /**
   * The least time in milliseconds between the starts of two batches, unless one is full; default 0. Without it, a free
   * writer on a busy machine would take very small batches, although a statement costs as much as several items.
   */
  readonly everyMs?: number;
  /** Items that may wait before `submit` rejects with `Overloaded`. */
  readonly maxWaiting: number;
  /**
   * Commits all items and returns their results in order. If it throws, nothing was committed, except perhaps when
   * Postgres became unavailable.
   */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** True: a bad item made the batch fail, so each item is tried alone. False: the whole batch fails. */
  readonly isItemFault: (error: unknown) => boolean;
};

/** Too many items wait for the database. The caller should try again later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export type GroupCommit<Item, Result> = {
  submit(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing is being committed. */
  idle(): Promise<void>;
};

export function createGroupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
  const { maxItems, writers, everyMs = 0 } = options;
  const waiting: Waiting<Item, Result>[] = [];
  const whenIdle: (() => void)[] = [];
  let busy = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let scheduled: NodeJS.Immediate | NodeJS.Timeout | null = null;

  const isFull = () => waiting.length >= maxItems;
  const isIdle = () => busy === 0 && waiting.length === 0;

  /** Waits for one turn of the event loop, so that requests from many sockets share a batch. */
  function schedule(): void {
    if (scheduled !== null || busy >= writers || waiting.length === 0) return;
    const waitMs = isFull() ? 0 : nextAt - performance.now();
    scheduled = waitMs > 0 ? setTimeout(writeAll, waitMs) : setImmediate(writeAll);
  }

  function writeAll(): void {
    scheduled = null;
    do void write(waiting.splice(0, maxItems));
    while (busy < writers && isFull());
    schedule();
  }

  async function write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    busy++;
    nextAt = performance.now() + everyMs;
    await resolveBatch(batch);
    busy--;
    schedule();
    if (isIdle()) for (const tell of whenIdle.splice(0)) tell();
  }

  /** Never rejects; each item's own promise gets the outcome. */
  async function resolveBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.commit(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => {
        // `commit` returns a result for each item, so the index is in range.
        entry.resolve(results[i] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && options.isItemFault(error)) for (const entry of batch) await resolveBatch([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }

  /** A full batch does not wait for its time. */
  function beginFull(): void {
    if (scheduled === null || !isFull() || !('refresh' in scheduled)) return;
    clearTimeout(scheduled);
    scheduled = setImmediate(writeAll);
  }

  return {
    submit(item) {
      if (waiting.length >= options.maxWaiting) return Promise.reject(new Overloaded(`${waiting.length} items wait`));
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
        beginFull();
      });
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  };
}
