/**
 * Shares one transaction among requests that arrive together. An idle database is written to at once; while
 * all writers are busy or rest, what arrives is gathered, up to `maxItems`, for the next free one, so that batches grow
 * with load by themselves. On a busy machine that alone gathers little: a statement costs as much as several items, and a
 * writer that is free takes the next two. So batches may begin apart (`spaced`).
 *
 * A batch that Postgres refuses is tried again item by item, so that one bad item fails alone.
 */
export type GroupCommitOptions<Item, Result> = {
  readonly maxItems: number;
  /** Transactions at the same time; asked for whenever one could begin. */
  readonly writers: number | (() => number);
  /** With one writer: how long no batch begins after one that took so many milliseconds; default 0. */
  readonly restMs?: (tookMs: number) => number;
  /**
   * After a batch of several the next one begins, from that one's beginning, 3 ms later for each item but the first, twice the time that
   * the last commit took, or 10 ms, whichever is least; a full one at once. A batch of one keeps nobody waiting, and where commits are
   * quick hardly any does. Default false.
   */
  readonly spaced?: boolean;
  /** Items that may wait before `submit` rejects with `Overloaded`. */
  readonly maxWaiting: number;
  /** Commits all items and answers them in order, or throws and has committed none, as far as an unavailable database can be known. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a failed batch should be tried item by item (a bad item), or fails as a whole (no database). */
  readonly isItemFault: (error: unknown) => boolean;
  /** An item that may not go yet keeps its place and lets others go before it; asked whenever a batch could begin. `look` says that it may. */
  readonly isHeld?: (item: Item) => boolean;
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
  /** Items that were held may go. */
  look(): void;
  /** Resolves once nothing waits and nothing is being committed. */
  idle(): Promise<void>;
  /** Milliseconds since something was last submitted; infinite before. */
  quietMs(): number;
};

const spacingPerItemMs = 3;
const longestSpacingMs = 10;

export function createGroupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  /** Before those: what was held when it could have gone. */
  let held: Waiting<Item, Result>[] = [];
  const { maxItems, restMs, spaced = false, writers, isHeld = () => false } = options;
  const maxBusy = typeof writers === 'number' ? () => writers : writers;
  const whenIdle: (() => void)[] = [];
  const count = () => waiting.length + held.length;
  let busy = 0;
  let scheduled = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let resting: NodeJS.Timeout | undefined;
  let lastTookMs = 0;
  let submittedAt = Number.NEGATIVE_INFINITY;

  /** One turn of the event loop gathers what was read from the sockets together. */
  function schedule(): void {
    if (scheduled || busy >= maxBusy() || count() === 0) return;
    scheduled = true;
    const waitMs = restsUntil - performance.now();
    if (waitMs > 0) resting = setTimeout(writeAll, waitMs);
    else setImmediate(writeAll);
  }

  /** What is full shares all that it can. */
  function endSpacing(): void {
    if (!spaced || resting === undefined || waiting.length < maxItems) return;
    clearTimeout(resting);
    resting = undefined;
    setImmediate(writeAll);
  }

  function writeAll(): void {
    scheduled = false;
    resting = undefined;
    while (busy < maxBusy() && count() > 0) {
      const batch = takeBatch();
      if (batch.length === 0) {
        // Else each look, and each item that comes, would go through all that is held.
        restsUntil = performance.now() + (restMs?.(0) ?? 0);
        return;
      }
      void write(batch);
    }
  }

  /** In the order in which they came. None, where all are held. */
  function takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    let next = held;
    do {
      for (const entry of next) (batch.length === maxItems || isHeld(entry.item) ? left : batch).push(entry);
      next = waiting.splice(0, maxItems - batch.length);
    } while (next.length > 0);
    held = left;
    return batch;
  }

  const spacingMs = (items: number) =>
    items < maxItems ? Math.min(longestSpacingMs, spacingPerItemMs * (items - 1), 2 * lastTookMs) : 0;

  async function write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    busy++;
    const begunAt = performance.now();
    if (spaced) restsUntil = begunAt + spacingMs(batch.length);
    await settle(batch);
    busy--;
    const endedAt = performance.now();
    lastTookMs = endedAt - begunAt;
    if (restMs !== undefined) restsUntil = Math.max(restsUntil, endedAt + restMs(lastTookMs));
    schedule();
    if (isIdle()) for (const tell of whenIdle.splice(0)) tell();
  }

  const isIdle = () => busy === 0 && count() === 0;

  /** Never rejects: every outcome goes to the item's own promise. */
  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.commit(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => {
        // `commit` answers every item; the index is in range.
        entry.resolve(results[i] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && options.isItemFault(error)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }

  return {
    submit(item) {
      submittedAt = performance.now();
      if (count() >= options.maxWaiting) return Promise.reject(new Overloaded(`${count()} items wait`));
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
        endSpacing();
      });
    },
    look: schedule,
    quietMs: () => performance.now() - submittedAt,
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  };
}
