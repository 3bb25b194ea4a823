/** The `max_per_second` of a webhook. */
export type Pace = {
  /** If not, `onFree` is called when an event may start. */
  mayStart(): boolean;
  started(): void;
  stop(): void;
};

export function createPace(maxPerSecond: number | null, onFree: () => void): Pace {
  let freeAt = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    mayStart() {
      const waitMs = freeAt - performance.now();
      if (maxPerSecond === null || waitMs <= 0) return true;
      timer ??= setTimeout(() => {
        timer = undefined;
        onFree();
      }, waitMs);
      return false;
    },
    started() {
      if (maxPerSecond !== null) freeAt = Math.max(freeAt, performance.now()) + 1_000 / maxPerSecond;
    },
    stop: () => clearTimeout(timer),
  };
}
