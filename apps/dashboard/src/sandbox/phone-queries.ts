import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';

export type ListedPhone = DashboardData<'listPhones'>['phones'][number];

/** The phones that the account wrote to, latest first. `search` are digits of their numbers. */
export const usePhones = (search: string) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listPhones'), search],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(search === '' ? {} : { q: search }), ...(pageParam === null ? {} : { cursor: pageParam }) };
      return call('listPhones', { query }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
  });
