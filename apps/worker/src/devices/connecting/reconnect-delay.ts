/**
 * How long to wait before the next connection: nothing at first, then doubling up to a minute, with jitter. A device that
 * another connection replaces again and again waits for seconds, however long its own connections held.
 */
export type ReconnectDelay = {
  /**
   * Milliseconds to wait now; each call without a connection that held makes the next one longer. `timesReplaced`: how
   * often another connection took the place of this device's lately.
   */
  next(timesReplaced?: number): number;
  connected(): void;
};

const firstMs = 500;
const longestMs = 60_000;
/** A connection that held this long begins the count anew; a shorter one may be part of a loop. */
const heldMs = 10_000;
const replacedAgainMs = 10_000;

export function createReconnectDelay(
  random: () => number = Math.random,
  now: () => number = performance.now.bind(performance),
): ReconnectDelay {
  let failures = 0;
  let connectedAt: number | null = null;
  return {
    next(timesReplaced = 0) {
      if (connectedAt !== null && now() - connectedAt >= heldMs) failures = 0;
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
