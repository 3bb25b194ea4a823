/** How far the product is behind, asked now and then; while the database is away, what was known counts. */
import type { Database } from '@kurir/database';
import { readUnfinished } from './settle.js';

export type Backlog = {
  readonly unfinished: number;
  /** More than `most` is waiting, and it is getting less: waiting helps. A product that stands still is not waited for. */
  isWorkedOff(most: number): boolean;
  stop(): void;
};

const everyMs = 1_000;
const standstillMs = 20_000;

export function watchBacklog(database: Database): Backlog {
  let unfinished = 0;
  let lessAt = performance.now();

  function note(total: number): void {
    if (total < unfinished) lessAt = performance.now();
    unfinished = total;
  }
  const timer = setInterval(() => {
    readUnfinished(database).then(
      ({ total }) => note(total),
      () => {}, // it is being killed
    );
  }, everyMs);
  return {
    get unfinished() {
      return unfinished;
    },
    isWorkedOff: (most) => unfinished > most && performance.now() - lessAt < standstillMs,
    stop: () => clearInterval(timer),
  };
}
