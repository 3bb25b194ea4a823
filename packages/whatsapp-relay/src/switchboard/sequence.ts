/** Items in the order of their arrival, and a way to wait for a later one. */

type Waiter<Item> = { readonly wanted: (item: Item) => boolean; readonly found: (item: Item) => void };

/** Generous: the machine may be busy with other tests. */
const defaultDeadlineMs = 60_000;

export class Sequence<Item> {
  private readonly items: Item[] = [];
  private waiters: Waiter<Item>[] = [];

  constructor(private readonly name: string) {}

  get all(): readonly Item[] {
    return this.items;
  }

  add(item: Item): void {
    this.items.push(item);
    this.changed(item);
  }

  /** Tells waiters that an item of the sequence changed, since it may fit now. */
  changed(item: Item): void {
    const found = this.waiters.filter((waiter) => waiter.wanted(item));
    this.waiters = this.waiters.filter((waiter) => !found.includes(waiter));
    for (const waiter of found) waiter.found(item);
  }

  /** The first item that fits, among those present and those to come. Rejects after `deadlineMs`. */
  when(wanted: (item: Item) => boolean, deadlineMs = defaultDeadlineMs): Promise<Item> {
    const there = this.items.find(wanted);
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(
          new Error(`${this.name}: nothing fits after ${deadlineMs} ms; last: ${JSON.stringify(this.items.at(-1))}`),
        );
      }, deadlineMs);
      const waiter: Waiter<Item> = {
        wanted,
        found: (item) => {
          clearTimeout(deadline);
          resolve(item);
        },
      };
      this.waiters.push(waiter);
    });
  }
}
