/** The spans of a report. Short ones are drawn as hours and long ones as days, in the time zone of the person. */
import type { DashboardQueryInput } from '@kurir/contracts/dashboard';
import { ownTimeZone } from '../format/time-zone.js';
import type { Report } from './charts/report.js';

export const spans = ['day', 'three', 'week', 'month'] as const;
export type Span = (typeof spans)[number];

type Query = NonNullable<DashboardQueryInput<'readReport'>>;
const lengths: Record<Span, Query> = {
  day: { hours: '24' },
  three: { hours: '72' },
  week: { days: '7' },
  month: { days: '30' },
};

/** Days change less within a minute, and cost the gateway more. */
const refreshMs = { hours: 30_000, days: 300_000 } as const;

export const queryOf = (span: Span): Query => ({ ...lengths[span], time_zone: ownTimeZone() });
export const refreshMsOf = (span: Span): number =>
  lengths[span].days === undefined ? refreshMs.hours : refreshMs.days;

/** The filter of the list of messages for the span of a report. */
export type MessageSpan = { since: 'day' } | { since: 'range'; from: string };

const two = (value: number) => String(value).padStart(2, '0');

export function messageSpanOf(span: Span, { parts }: Pick<Report, 'parts'>): MessageSpan {
  const [first] = parts;
  if (span === 'day' || first === undefined) return { since: 'day' };
  const at = new Date(first.start);
  return { since: 'range', from: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}` };
}
