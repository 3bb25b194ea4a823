import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './call.js';
import { queryKey } from './query.js';

type PagedOperation =
  | 'listRenewals'
  | 'listLedger'
  | 'listInvoices'
  | 'listNotices'
  | 'listTemplates'
  | 'listBroadcasts'
  | 'adminListAudit'
  | 'adminListAccounts';

const pages = 'pages';

/** Returns the pages that were read so far, and a function that reads the next one. */
export function usePages<O extends PagedOperation>(operation: O, query: { q?: string; limit?: number } = {}) {
  return useInfiniteQuery({
    queryKey: [...queryKey(operation), pages, query],
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      // Every paged operation takes a cursor, but the compiler cannot see it in a union of operations.
      return (await call<PagedOperation>(operation, { query: { ...query, ...cursor } }, signal)) as DashboardData<O>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
