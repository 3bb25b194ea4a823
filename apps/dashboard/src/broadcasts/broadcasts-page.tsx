import { Link } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import { usePages } from '../http/use-pages.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { BroadcastRow } from './broadcast-row.js';
import type { Broadcast } from './figures.js';
import { broadcastTexts } from './texts.js';

/** A draft that somebody threw away is not worth a row. */
const isShown = ({ state, started_at: startedAt }: Broadcast): boolean => state !== 'cancelled' || startedAt !== null;

/** Each row reads its own counts, so a page is short. */
const pageSize = 20;

export function BroadcastsPage() {
  const t = useTexts(broadcastTexts);
  const maySend = useMay('developer');
  const list = usePages('listBroadcasts', { limit: pageSize });
  const broadcasts = list.data?.pages.flatMap((page) => page.broadcasts.filter(isShown)) ?? [];
  const isEmpty = list.data !== undefined && !list.hasNextPage && broadcasts.length === 0;
  const button = maySend && (
    <Button asChild look="primary">
      <Link to="/broadcasts/new">
        <Plus aria-hidden className="size-4" />
        {t.create}
      </Link>
    </Button>
  );
  return (
    <Page
      title={t.title}
      note={maySend ? t.note : `${t.note} ${t.viewerOnly}`}
      actions={isEmpty || list.isPending ? undefined : button}
    >
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel className="overflow-hidden">
        {list.isPending && <SkeletonLines count={4} />}
        {isEmpty && (
          <EmptyState
            picture={
              <RoutePicture>
                <Megaphone />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={button}
          >
            {t.emptyNote}
          </EmptyState>
        )}
        <ul>
          {broadcasts.map((broadcast) => (
            <BroadcastRow key={broadcast.broadcast_id} broadcast={broadcast} />
          ))}
        </ul>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </Page>
  );
}
