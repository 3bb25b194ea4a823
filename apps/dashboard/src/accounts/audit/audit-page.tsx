import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { ownTimeZone } from '../../format/time-zone.js';
import { addressOf, call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/layout/page.js';
import { useNow } from '../../ui/moment.js';
import { PagedTable } from '../../ui/tables/paged-table.js';
import { useAuditColumns } from './audit-columns.js';
import { AuditFilterBar } from './filter-bar.js';
import { filtersOf, isFiltered } from './filters.js';
import { auditTexts } from './texts.js';

export function AuditPage() {
  const t = useTexts(auditTexts);
  const search = useSearch({ from: '/signed-in/audit' });
  const minute = Math.floor(useNow() / 60_000);
  const filters = useMemo(() => filtersOf(search, minute * 60_000), [search, minute]);
  const list = useInfiniteQuery({
    queryKey: queryKey('listAudit', { query: filters }),
    queryFn: ({ pageParam, signal }) =>
      call('listAudit', { query: { ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
  });
  const columns = useAuditColumns();
  const noneFits = list.hasNextPage ? t.searchOn : t.noneFits;
  return (
    <Page
      title={t.title}
      note={t.note}
      actions={
        <Button asChild>
          <a href={addressOf('exportAudit', { query: { ...filters, time_zone: ownTimeZone() } })} download>
            <Download aria-hidden className="size-4" />
            {t.export}
          </a>
        </Button>
      }
    >
      <AuditFilterBar />
      <PagedTable
        label={t.title}
        empty={isFiltered(search) ? noneFits : t.empty}
        list={list}
        rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
        idOf={(row) => row.entry_id}
        columns={columns}
      />
    </Page>
  );
}
