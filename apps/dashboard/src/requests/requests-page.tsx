import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Page } from '../ui/layout/page.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { RequestFilterBar } from './filter-bar.js';
import { filtersOf, isFiltered } from './filters.js';
import { useRequestColumns } from './request-columns.js';
import { requestTexts } from './texts.js';

const refreshMs = 3_000;

export function RequestsPage() {
  const t = useTexts(requestTexts);
  const search = useSearch({ from: '/signed-in/requests' });
  const filters = filtersOf(search);
  const list = useInfiniteQuery({
    queryKey: queryKey('listRequests', { query: filters }),
    queryFn: ({ pageParam, signal }) =>
      call('listRequests', { query: { ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
    // A person who reads older pages must not lose the place.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMs),
  });
  const columns = useRequestColumns();
  const noneFits = list.hasNextPage ? t.searchOn : t.noneFits;
  return (
    <Page title={t.title} note={t.note}>
      <RequestFilterBar />
      <PagedTable
        label={t.title}
        empty={isFiltered(search) ? noneFits : t.empty}
        list={list}
        rows={list.data?.pages.flatMap((page) => page.requests) ?? []}
        idOf={(row) => row.request_id}
        columns={columns}
      />
    </Page>
  );
}
