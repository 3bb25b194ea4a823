/** Reads regularly how many messages are unfinished. While the database is away, the last number counts. */
import type { Database } from '@kurir/database';
import { readUnfinished } from './settle.js';

export type Backlog = {
  readonly unfinished: number;
  /** True if more than `most` messages are unfinished and the number still falls, so that waiting helps. */
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
      () => {}, // a fault has killed the database
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
