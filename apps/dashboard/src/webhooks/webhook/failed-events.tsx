import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Moment } from '../../ui/moment.js';
import type { Webhook } from '../state.js';
import { ResendButton } from './resend-button.js';
import { deliveryTexts } from './texts.js';

export function FailedEvents({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const params = { webhook_id: webhook.webhook_id };
  const list = useInfiniteQuery({
    queryKey: [...queryKey('listFailedEvents'), params],
    queryFn: ({ pageParam, signal }) =>
      call('listFailedEvents', { params, query: pageParam === null ? {} : { cursor: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <div className="flex flex-col gap-4">
      {events.length > 0 && <p className="max-w-prose text-sm text-ink-soft">{t.failedNote}</p>}
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel>
        {list.isPending && <SkeletonLines count={3} />}
        {list.data !== undefined && events.length === 0 && (
          <p className="mx-auto max-w-prose px-5 py-12 text-center text-sm text-ink-soft">{t.noFailed}</p>
        )}
        <ul>
          {events.map((failed) => (
            <li
              key={failed.event_id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 text-sm first:border-t-0"
            >
              <span className="min-w-0 flex-1 basis-56">
                <span className="block font-medium">{failed.type ?? t.erased}</span>
                <code className="block truncate text-xs text-ink-faint">{failed.event_id}</code>
              </span>
              <span className="text-xs text-ink-faint">
                <Moment at={failed.failed_at} />
              </span>
              {failed.event !== null && <ResendButton eventId={failed.event_id} webhook={webhook} />}
            </li>
          ))}
        </ul>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}
