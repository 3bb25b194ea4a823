import { usePages } from '../http/use-pages.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { NoticeItem } from './notice-item.js';
import { noticeTexts } from './texts.js';

/** The notices of the person, newest first. `onGo` closes the place in which they stand. */
export function NoticeList({ onGo }: { onGo?: () => void }) {
  const t = useTexts(noticeTexts);
  const list = usePages('listNotices');
  const markAll = useCall('readNotices', ['listNotices']);
  const notices = list.data?.pages.flatMap((page) => page.notices) ?? [];
  const unread = list.data?.pages[0]?.unread ?? 0;
  const newest = notices[0];
  return (
    <div className="flex flex-col">
      <FailureNotice failure={list.error ?? markAll.error} onRetry={list.refetch} />
      {list.isPending && <SkeletonLines count={4} />}
      {!list.isPending && list.error === null && newest === undefined && (
        <p className="px-5 py-10 text-center text-sm text-ink-soft">{t.none}</p>
      )}
      {newest !== undefined && unread > 0 && (
        <div className="flex justify-end px-5 py-2">
          <Button
            look="quiet"
            size="small"
            busy={markAll.isPending}
            onClick={() => markAll.mutate({ body: { notice_id: newest.notice_id, older: true } })}
          >
            {t.markAll}
          </Button>
        </div>
      )}
      <ul aria-label={t.title}>
        {notices.map((notice) => (
          <NoticeItem key={notice.notice_id} notice={notice} onGo={onGo} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="my-4 self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}
