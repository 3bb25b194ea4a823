/**
 * Says when the log of events is read: shortly after a signal, and regularly without one. Only one reading runs at a
 * time. Nothing is read while nobody watches.
 */
import type { Logger } from '@kurir/logging';

const everyMs = 1_000;
/** The least time before a reading that follows a signal. */
const pauseMs = 200;

export type ReadLoop = {
  /** Something changed: read soon. */
  signal(): void;
  /** Somebody watches: read soon, unless a reading runs or is planned. */
  wake(): void;
  stop(): void;
};

export function createReadLoop(options: {
  readonly isIdle: () => boolean;
  /** Resolves with whether there is more to read at once. */
  readonly read: () => Promise<boolean>;
  readonly logger: Logger;
}): ReadLoop {
  const { isIdle, read, logger } = options;
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;
  let isSignalled = false;
  /** By `performance.now()`. */
  let dueAt = 0;

  /** A reading that is planned sooner stays. Otherwise signals that keep coming would put it off for ever. */
  function schedule(ms: number): void {
    const at = performance.now() + ms;
    if (timer !== null && dueAt <= at) return;
    if (timer !== null) clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, ms);
  }

  function run(): void {
    timer = null;
    if (isReading || isIdle()) return;
    isReading = true;
    isSignalled = false;
    read()
      .then((hasMore) => {
        if (hasMore) isSignalled = true;
      })
      .catch((err: unknown) => logger.warn({ err }, 'live events could not be read'))
      .finally(() => {
        isReading = false;
        if (!isIdle()) schedule(isSignalled ? pauseMs : everyMs);
      });
  }

  return {
    signal() {
      isSignalled = true;
      if (!isReading && !isIdle()) schedule(pauseMs);
    },
    wake() {
      if (!isReading && timer === null) schedule(pauseMs);
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
