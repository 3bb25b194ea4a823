/** The filters of the list of messages. They are in the address, so that a person can bookmark or share a view. */
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

/** Rounds `since`, so that the key in the cache stays the same for a while. */
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

/** Reduces a phone number to its digits. Leaves an id or a `client_ref` as it is. */
export function searchText(text: string): string {
  const trimmed = text.trim();
  if (!/^\+?[\d\s().-]{4,}$/.test(trimmed)) return trimmed;
  const digits = trimmed.replace(/\D/g, '');
  return digits.startsWith('0') ? `62${digits.slice(1)}` : digits;
}

export const isFiltered = ({ q, status, device, since }: Search): boolean =>
  [q, status, device, since].some((value) => value !== undefined && value !== '');
