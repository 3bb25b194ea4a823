/** A span of time that a filter has in the address: the last hours or days, or two days that a person chose. */

export const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
type SpanName = keyof typeof spans;
const isSpan = (text: string | undefined): text is SpanName => text !== undefined && text in spans;

/** `since` is the name of a span, or `range` with `from` and `to`. */
export type SpanSearch = { since?: string | undefined; from?: string | undefined; to?: string | undefined };

/** Rounds `since`, so that the key in the cache stays the same for a while. */
const minuteMs = 60_000;

/** The local midnight at which this day begins, or the day after it. Null: the text is no day. */
function midnight(day: string | undefined, daysLater: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export function timesOf({ since, from, to }: SpanSearch, nowMs: number): { since?: string; until?: string } {
  if (isSpan(since)) return { since: new Date(Math.floor((nowMs - spans[since]) / minuteMs) * minuteMs).toISOString() };
  const [first, last] = [midnight(from, 0), midnight(to, 1)];
  return { ...(first === null ? {} : { since: first }), ...(last === null ? {} : { until: last }) };
}
