export type TimestampWindow = { maxPastSeconds: number; maxFutureSeconds: number };

export type TimestampCheck =
  | { outcome: 'ok' }
  /** The difference of the sender's clock in whole seconds, rounded away from zero. Negative if it is slow. */
  | { outcome: 'out-of-range'; skewSeconds: number }
  /** The text has neither 10 nor 13 decimal digits. */
  | { outcome: 'malformed' };

/** How far X-Timestamp may differ from the clock of the server. Both ends are included (contract, section 1). */
export const requestWindow: TimestampWindow = { maxPastSeconds: 300, maxFutureSeconds: 60 };

const seconds = /^\d{10}$/;
const milliseconds = /^\d{13}$/;

/** Compares a timestamp with `nowMs`. Its length tells unix seconds from milliseconds. Never throws. */
export function checkTimestamp(text: string, nowMs: number, window: TimestampWindow = requestWindow): TimestampCheck {
  const sentMs = seconds.test(text) ? Number(text) * 1000 : milliseconds.test(text) ? Number(text) : null;
  if (sentMs === null) return { outcome: 'malformed' };

  const skew = (sentMs - nowMs) / 1000;
  if (-window.maxPastSeconds <= skew && skew <= window.maxFutureSeconds) return { outcome: 'ok' };
  return { outcome: 'out-of-range', skewSeconds: Math.sign(skew) * Math.ceil(Math.abs(skew)) };
}
