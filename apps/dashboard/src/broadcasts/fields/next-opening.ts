/** When the hours of a broadcast open. The gateway decides it for each person; the page tells it for most of them. */
import type { Broadcast } from '../figures.js';

type Hours = Pick<NonNullable<Broadcast['window']>, 'from' | 'to'>;

const minuteMs = 60_000;
const minutesOfDay = 24 * 60;
/** The gateway begins no message later than this before the end. */
const lastBegins = 3;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The minute of the local day. */
function minuteIn(zone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(atMs);
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value ?? 0);
  return of('hour') * 60 + of('minute');
}

/**
 * The first moment, from `atMs` on, whose hour is open in all of the zones. Null: there is none. Changes of the clock
 * within the next day are not counted.
 */
export function nextOpening({ from, to }: Hours, zones: readonly string[], atMs: number): number | null {
  const [first, last] = [minutesOf(from), Math.max(minutesOf(from) + 1, minutesOf(to) - lastBegins)];
  const starts = zones.map((zone) => minuteIn(zone, atMs));
  const isOpenAfter = (minutes: number) =>
    starts.every((start) => {
      const minute = (start + minutes) % minutesOfDay;
      return first <= minute && minute < last;
    });
  if (isOpenAfter(0)) return atMs;
  for (let minutes = 1; minutes < minutesOfDay; minutes++)
    if (isOpenAfter(minutes)) return (Math.floor(atMs / minuteMs) + minutes) * minuteMs;
  return null;
}
