/** What the list is narrowed to. It stands in the address, so that a view can be bookmarked and shared. */
import { type DashboardQueryInput, messageStatuses } from '@kurir/contracts/dashboard';
import type { ShownStatus } from './status.js';

export type Search = {
  q?: string | undefined;
  status?: string | undefined;
  device?: string | undefined;
  since?: string | undefined;
  job?: string | undefined;
};
export type Filters = NonNullable<DashboardQueryInput<'listMessages'>>;

export const shownStatuses: readonly ShownStatus[] = ['scheduled', ...messageStatuses];

export const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export type Span = keyof typeof spans;
const isSpan = (text: string | undefined): text is Span => text !== undefined && text in spans;
const isStatus = (text: string | undefined): text is ShownStatus => shownStatuses.some((status) => status === text);

/** To the minute, so that the list keeps its place in the cache while somebody looks at it. */
const minuteMs = 60_000;

export function filtersOf(search: Search, nowMs: number): Filters {
  const since = isSpan(search.since) ? new Date(Math.floor((nowMs - spans[search.since]) / minuteMs) * minuteMs) : null;
  return {
    ...(search.q ? { q: searchText(search.q) } : {}),
    ...(isStatus(search.status) ? { status: search.status } : {}),
    ...(search.device ? { device_id: search.device } : {}),
    ...(since === null ? {} : { since: since.toISOString() }),
  };
}

/** A number is looked for by its digits, however it was written; an id or client_ref as it stands. */
export function searchText(text: string): string {
  const trimmed = text.trim();
  if (!/^\+?[\d\s().-]{4,}$/.test(trimmed)) return trimmed;
  const digits = trimmed.replace(/\D/g, '');
  return digits.startsWith('0') ? `62${digits.slice(1)}` : digits;
}

export const isFiltered = ({ q, status, device, since }: Search): boolean =>
  [q, status, device, since].some((value) => value !== undefined && value !== '');
