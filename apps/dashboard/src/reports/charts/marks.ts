/** Which hours or days of a chart have a mark on its axis. A mark is a round hour, midnight, or each day of a week. */
import type { Report } from './report.js';

type Parts = Pick<Report, 'unit' | 'parts'>;

const mostHoursOfOneDay = 48;
const mostDaysWithAllMarks = 10;
/** A mark each so many hours or days. */
const steps = { hoursOfOneDay: 4, hours: 12, days: 5 } as const;

/** The places of the parts that have a mark. The last day always has one. */
export function marksOf({ unit, parts }: Parts): number[] {
  const last = parts.length - 1;
  const isMarked = (start: string, i: number): boolean => {
    if (unit === 'day') return parts.length <= mostDaysWithAllMarks || (last - i) % steps.days === 0;
    const step = parts.length <= mostHoursOfOneDay ? steps.hoursOfOneDay : steps.hours;
    return new Date(start).getHours() % step === 0;
  };
  return parts.flatMap(({ start }, i) => (isMarked(start, i) ? [i] : []));
}

/** Whether the mark names the day: always for days, and at midnight for the hours of several days. */
export const namesDay = ({ unit, parts }: Parts, i: number): boolean =>
  unit === 'day' || (parts.length > mostHoursOfOneDay && new Date(parts[i]?.start ?? '').getHours() === 0);
