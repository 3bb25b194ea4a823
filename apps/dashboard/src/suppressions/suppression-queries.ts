import type { DashboardData, SuppressionScope } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';

export type Suppression = DashboardData<'listSuppressions'>['suppressions'][number];

export type SuppressionFilter = { readonly phone?: string; readonly scope?: SuppressionScope };

/** The newest one comes first. */
export const useSuppressions = (filter: SuppressionFilter) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listSuppressions'), filter],
    queryFn: ({ pageParam, signal }) =>
      call('listSuppressions', { query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
