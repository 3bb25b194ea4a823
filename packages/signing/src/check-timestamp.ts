export type TimestampWindow = { maxPastSeconds: number; maxFutureSeconds: number };

export type TimestampCheck =
  | { outcome: 'ok' }
  /** Whole seconds by which the sender's clock differs, away from zero; negative when it is behind. */
  | { outcome: 'out-of-range'; skewSeconds: number }
  /** Neither 10 nor 13 decimal digits. */
  | { outcome: 'malformed' };

/** How far X-Timestamp may lie from the server's clock, both ends included (contract, section 1). */
export const requestWindow: TimestampWindow = { maxPastSeconds: 300, maxFutureSeconds: 60 };

const seconds = /^\d{10}$/;
const milliseconds = /^\d{13}$/;

/** Compares a timestamp as sent, unix seconds or milliseconds by its length, with `nowMs`. Never throws. */
export function checkTimestamp(text: string, nowMs: number, window: TimestampWindow = requestWindow): TimestampCheck {
  const sentMs = seconds.test(text) ? Number(text) * 1000 : milliseconds.test(text) ? Number(text) : null;
  if (sentMs === null) return { outcome: 'malformed' };

  const skew = (sentMs - nowMs) / 1000;
  if (-window.maxPastSeconds <= skew && skew <= window.maxFutureSeconds) return { outcome: 'ok' };
  return { outcome: 'out-of-range', skewSeconds: Math.sign(skew) * Math.ceil(Math.abs(skew)) };
}
