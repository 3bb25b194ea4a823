/** The filters of the list of messages. They are in the address, so that a person can bookmark or share a view. */
import {
  type DashboardQueryInput,
  messagePriorities,
  messageReasons,
  messageStatuses,
} from '@kurir/contracts/dashboard';
import { timesOf } from '../../form/filters/span.js';
import type { ShownStatus } from '../status.js';

/** The texts in the address that narrow the list. */
const narrowing = ['q', 'status', 'device', 'since', 'from', 'to', 'broadcast', 'priority', 'key', 'reason'] as const;
type Narrowing = { [N in (typeof narrowing)[number]]?: string | undefined };
export type Search = Narrowing & { job?: string | undefined };
export type Filters = NonNullable<DashboardQueryInput<'listMessages'>>;

export const shownStatuses: readonly ShownStatus[] = ['scheduled', ...messageStatuses];

const isStatus = (text: string | undefined): text is ShownStatus => shownStatuses.some((status) => status === text);
const priorityOf = (text: string | undefined) => messagePriorities.find((priority) => priority === text);
export type Reason = keyof typeof messageReasons;
// The record has exactly these keys; Object.keys only knows `string`.
export const shownReasons = Object.keys(messageReasons) as Reason[];

export function filtersOf(search: Search, nowMs: number): Filters {
  const { q = '', status, device, broadcast, key, reason } = search;
  const priority = priorityOf(search.priority);
  const known = shownReasons.find((one) => one === reason);
  return {
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(isStatus(status) ? { status } : {}),
    ...(device ? { device_id: device } : {}),
    ...(broadcast ? { broadcast_id: broadcast } : {}),
    ...(priority === undefined ? {} : { priority }),
    ...(key ? { api_key: key } : {}),
    ...(known === undefined ? {} : { reason: known }),
    ...timesOf(search, nowMs),
  };
}

/** The part of the search that narrows the list: what a person saves. */
export const narrowingOf = (search: Search): Narrowing =>
  Object.fromEntries(narrowing.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));

export const isFiltered = (search: Search): boolean => Object.keys(narrowingOf(search)).length > 0;

/** Whether the list has a filter of the row that is hidden at first. */
export const hasMore = ({ broadcast, priority, key, reason }: Search): boolean =>
  [broadcast, priority, key, reason].some(Boolean);
