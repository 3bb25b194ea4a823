/**
 * The delay before the next connection: none at first, then doubling up to a limit, with jitter. If another connection
 * replaces the device again and again, it waits for seconds, even if its own connections lasted long.
 */
export type ReconnectDelay = {
  /**
   * Returns the milliseconds to wait now. Each call makes the next delay longer, until a connection was stable.
   * `timesReplaced` counts how often another connection replaced this device's lately.
   */
  next(timesReplaced?: number): number;
  connected(): void;
};

const firstMs = 500;
const longestMs = 60_000;
/** A connection that lasted so long resets the delay. A shorter one may be part of a loop. */
const stableMs = 10_000;
const replacedAgainMs = 10_000;

export function createReconnectDelay(
  random: () => number = Math.random,
  now: () => number = performance.now.bind(performance),
): ReconnectDelay {
  let failures = 0;
  let connectedAt: number | null = null;
  return {
    next(timesReplaced = 0) {
      if (connectedAt !== null && now() - connectedAt >= stableMs) failures = 0;
      connectedAt = null;
      const backoffMs = failures === 0 ? 0 : Math.min(longestMs, firstMs * 2 ** (failures - 1));
      const base = Math.max(backoffMs, timesReplaced > 1 ? replacedAgainMs : 0);
      failures++;
      return base === 0 ? 0 : base / 2 + random() * (base / 2);
    },
    connected() {
      connectedAt = now();
    },
  };
}
