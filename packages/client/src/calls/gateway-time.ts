/** The gateway's time as far as this machine can tell it: its own clock, corrected when the gateway disagrees. */
export type GatewayTime = {
  now(): number;
  /** Like `now`, but never the same value twice: two equal calls must not look like one that was replayed. */
  nextUnique(): number;
  correct(gatewayNowMs: number): void;
};

export function createGatewayTime(localNow: () => number): GatewayTime {
  let offsetMs = 0;
  let lastMs = 0;
  const now = () => Math.round(localNow() + offsetMs);
  return {
    now,
    nextUnique() {
      lastMs = Math.max(lastMs + 1, now());
      return lastMs;
    },
    correct(gatewayNowMs) {
      offsetMs = gatewayNowMs - localNow();
      lastMs = 0;
    },
  };
}
