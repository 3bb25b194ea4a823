/** The gateway's time, as this machine knows it: its own clock, corrected when the gateway refuses a timestamp. */
export type GatewayTime = {
  now(): number;
  /** Like `now`, but never the same value twice. Otherwise the gateway takes two equal calls for a replay. */
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
