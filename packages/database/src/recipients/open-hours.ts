/**
 * The hours in which people get marketing. A person's time zone may be one of several; then an hour is open if it is open
 * in all of them.
 */
import { LRUCache } from 'lru-cache';

/** Minutes of the local day: messages begin from `from` on, and before `to`. */
export type Hours = { readonly from: number; readonly to: number };

export type OpenHours = { readonly opensAt: Date; readonly closesAt: Date };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}

/** Minutes by which the local time of the zone is ahead of UTC. */
function offsetAt(zone: string, atMs: number): number {
  const name = formatOf(zone)
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

type Span = { readonly from: number; readonly to: number };
type Segment = Span & { readonly offset: number };

/** No zone changes its clock twice within this time. */
const stepMs = 6 * 60 * minuteMs;

/** The moment of the change between two moments with different offsets, to the minute. */
function changeBetween(zone: string, early: number, late: number): number {
  const before = offsetAt(zone, early);
  let [from, to] = [early, late];
  while (to - from > minuteMs) {
    const middle = from + Math.floor((to - from) / 2 / minuteMs) * minuteMs;
    if (offsetAt(zone, middle) === before) from = middle;
    else to = middle;
  }
  return to;
}

/** The time between two whole minutes, cut where the zone changes its clock. */
function segmentsOf(zone: string, { from, to }: Span): Segment[] {
  const segments: Segment[] = [];
  let [begun, offset] = [from, offsetAt(zone, from)];
  for (let at = from; at < to; at += stepMs) {
    const end = Math.min(at + stepMs, to);
    const next = offsetAt(zone, end);
    if (next === offset) continue;
    const change = changeBetween(zone, at, end);
    segments.push({ from: begun, to: change, offset });
    [begun, offset] = [change, next];
  }
  return [...segments, { from: begun, to, offset }];
}

/** The open times of a zone, in order. Those that touch are one. */
function openTimesOf(zone: string, hours: Hours, time: Span): Span[] {
  const open: Span[] = [];
  for (const { from, to, offset } of segmentsOf(zone, time)) {
    const aheadMs = offset * minuteMs;
    for (let day = Math.floor((from + aheadMs) / dayMs) * dayMs; day - aheadMs < to; day += dayMs) {
      const span = {
        from: Math.max(from, day + hours.from * minuteMs - aheadMs),
        to: Math.min(to, day + hours.to * minuteMs - aheadMs),
      };
      if (span.from >= span.to) continue;
      const last = open.at(-1);
      if (last?.to === span.from) open.splice(-1, 1, { from: last.from, to: span.to });
      else open.push(span);
    }
  }
  return open;
}

const inBoth = (some: readonly Span[], others: readonly Span[]): Span[] =>
  some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  );

const lookBackMs = dayMs;
const lookAheadMs = 3 * dayMs;

/**
 * The open time that contains `at`, or else the next one within three days. Null: no hour is open in all of the zones, or no
 * zone is known.
 */
export function findOpenHours(zones: readonly string[], hours: Hours, at: Date): OpenHours | null {
  if (zones.length === 0) return null;
  const minute = Math.floor(at.getTime() / minuteMs) * minuteMs;
  const time = { from: minute - lookBackMs, to: minute + lookAheadMs };
  const open = zones.map((zone) => openTimesOf(zone, hours, time)).reduce(inBoth, [time]);
  const found = open.find(({ to }) => to > at.getTime());
  return found === undefined ? null : { opensAt: new Date(found.from), closesAt: new Date(found.to) };
}

/** Remembers open times, because a broadcast asks for the same ones again and again. */
export function createOpenHours(): (zones: readonly string[], hours: Hours, at: Date) => OpenHours | null {
  const known = new LRUCache<string, { readonly askedAt: number; readonly found: OpenHours }>({ max: 2_000 });
  return (zones, hours, at) => {
    const key = `${hours.from} ${hours.to} ${zones.join(' ')}`;
    const before = known.get(key);
    if (before !== undefined && before.askedAt <= at.getTime() && before.found.closesAt > at) return before.found;
    const found = findOpenHours(zones, hours, at);
    if (found !== null) known.set(key, { askedAt: at.getTime(), found });
    return found;
  };
}
