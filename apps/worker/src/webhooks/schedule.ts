/** The times of tries and probes, in milliseconds. */
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The waits before the second and the later tries. The first one comes at once. */
const waitsMs = [
  5 * secondMs,
  30 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
];
const spread = 0.2;
/** `random` is from 0 to 1. */
const spreadOver = (waitMs: number, random: number): number => waitMs * (1 + spread * (2 * random - 1));
const longestRetryAfterMs = 24 * hourMs;

/** A webhook that fails so many times in a row is only probed. */
export const failuresBeforeProbing = 10;
export const firstProbeMs = 30 * secondMs;
const longestProbeMs = 15 * minuteMs;

/** A webhook that only failed for so long is disabled. */
const disableAfterMs = 72 * hourMs;
/** The hours of failing after which people are told. */
const toldAfterHours = [24, 1];
const statusGone = 410;

/** The time in the header Retry-After: seconds, or a date. Null if it is neither. */
export function parseRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * secondMs;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** The wait after the try with this number, from 1. Null: it was the last one. `random` is from 0 to 1. */
export function waitAfterTry(tries: number, retryAfterMs: number | null, random: number): number | null {
  const waitMs = waitsMs[tries - 1];
  if (waitMs === undefined) return null;
  return Math.max(spreadOver(waitMs, random), Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
}

/**
 * The wait before the next probe, after this number of probes. Without the spread, an address that fails at regular times
 * could be probed at just these.
 */
export const waitBeforeProbe = (probes: number, firstMs: number, random: number): number =>
  spreadOver(Math.min(firstMs * 2 ** Math.max(0, probes - 1), longestProbeMs), random);

export type Verdict = {
  /** The reason to disable the webhook. */
  readonly disabled: 'gone' | 'failing' | null;
  /** People are to hear that it has failed for so many hours. Zero: they need not. */
  readonly toldHours: number;
};

/** Judges a webhook that has only failed for this time, from the status of its last answer. */
export function judgeFailing(failingMs: number, status: number | null): Verdict {
  const toldHours = toldAfterHours.find((hours) => failingMs >= hours * hourMs) ?? 0;
  if (status === statusGone) return { disabled: 'gone', toldHours };
  return { disabled: failingMs >= disableAfterMs ? 'failing' : null, toldHours };
}
