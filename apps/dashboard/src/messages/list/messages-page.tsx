import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Send } from 'lucide-react';
import { useMemo } from 'react';
import { addressOf, call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { useNow } from '../../ui/moment.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { ownTimeZone } from '../../format/time-zone.js';
import { filtersOf, isFiltered } from './filters.js';
import { FilterBar } from './filter-bar.js';
import { MessageList } from './message-list.js';
import { MessageSheet } from '../message-sheet.js';
import { NoMessages } from './no-messages.js';
import { listTexts } from './texts.js';
import { messageTexts } from '../texts.js';

export function MessagesPage() {
  const t = useTexts(messageTexts);
  const l = useTexts(listTexts);
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const maySend = useMay('developer');
  const minute = Math.floor(useNow() / 60_000);
  const filters = useMemo(() => filtersOf(search, minute * 60_000), [search, minute]);
  const list = useInfiniteQuery({
    queryKey: queryKey('listMessages', { query: filters }),
    queryFn: ({ pageParam, signal }) =>
      call('listMessages', { query: { ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
  });
  const rows = list.data?.pages.flatMap((page) => page.messages) ?? [];
  const isBounded = [filters.q, filters.api_key, filters.reason].some((value) => value !== undefined);
  const open = (job: string | undefined) =>
    void navigate({ search: { ...search, job }, replace: search.job !== undefined });
  return (
    <Page
      title={t.title}
      note={t.note}
      actions={
        <>
          <Button asChild>
            <a href={addressOf('exportMessages', { query: { ...filters, time_zone: ownTimeZone() } })} download>
              <Download aria-hidden className="size-4" />
              {t.export}
            </a>
          </Button>
          {maySend && (
            <Button asChild look="primary">
              <Link to="/send">
                <Send aria-hidden className="size-4" />
                {t.send}
              </Link>
            </Button>
          )}
        </>
      }
    >
      <FilterBar />
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel className="overflow-hidden" aria-busy={list.isPlaceholderData}>
        {list.isPending && <SkeletonLines count={8} />}
        {list.isSuccess && rows.length === 0 && !list.hasNextPage && <NoMessages filtered={isFiltered(search)} />}
        {rows.length === 0 && list.hasNextPage && <p className="p-5 text-sm text-ink-soft">{l.notYet}</p>}
        {rows.length > 0 && <MessageList rows={rows} openId={search.job} onOpen={open} />}
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {isBounded ? l.searchOn : t.more}
        </Button>
      )}
      <MessageSheet jobId={search.job} onClose={() => open(undefined)} onOpen={open} />
    </Page>
  );
}
