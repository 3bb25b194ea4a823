import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './call.js';
import { queryKey } from './query.js';

/** The operations whose answers come in pages. */
type PagedOperation =
  | 'listRenewals'
  | 'listLedger'
  | 'listInvoices'
  | 'listAudit'
  | 'adminListAudit'
  | 'adminListAccounts';

const pages = 'pages';

/** Every page that was read so far, and how to read the next. */
export function usePages<O extends PagedOperation>(operation: O, query: { q?: string } = {}) {
  return useInfiniteQuery({
    queryKey: [...queryKey(operation), pages, query],
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      // Every paged operation takes a cursor; the compiler cannot see it over a union of operations.
      return (await call<PagedOperation>(operation, { query: { ...query, ...cursor } }, signal)) as DashboardData<O>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
