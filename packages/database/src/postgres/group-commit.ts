/**
 * Shares one transaction among requests that arrive together. An idle database is written to at once; while all writers
 * are busy, what arrives is gathered, up to `maxItems`, for the next free one, so that batches grow with load by themselves.
 *
 * A batch that Postgres refuses is tried again item by item, so that one bad item fails alone.
 */
export type GroupCommitOptions<Item, Result> = {
  readonly maxItems: number;
  /** Transactions at the same time. */
  readonly writers: number;
  /**
   * A batch begins no sooner than so many milliseconds after the one before it began, unless it is full; default 0. On a busy
   * machine a free writer would take the next two items, and a statement costs as much as several items.
   */
  readonly everyMs?: number;
  /** Items that may wait before `submit` rejects with `Overloaded`. */
  readonly maxWaiting: number;
  /** Commits all items and returns their results in order, or throws and has committed none, as far as an unavailable database can be known. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a failed batch should be tried item by item (a bad item), or fails as a whole (no database). */
  readonly isItemFault: (error: unknown) => boolean;
};

/** More is waiting than the database will take soon; the caller should try again later. */
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
  /** Resolves once nothing waits and nothing is being committed. */
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

  /** One turn of the event loop gathers what was read from the sockets together. */
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
    await settle(batch);
    busy--;
    schedule();
    if (isIdle()) for (const tell of whenIdle.splice(0)) tell();
  }

  /** Never rejects: every outcome goes to the item's own promise. */
  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.commit(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => {
        // `commit` gives every item its result; the index is in range.
        entry.resolve(results[i] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && options.isItemFault(error)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }

  /** A batch that has become full waits for no time. */
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
