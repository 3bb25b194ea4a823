import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { broadcastQuery } from '../broadcast-queries.js';
import type { CountedBroadcast } from '../figures.js';
import { isBeforeStart, isMoving } from '../state.js';
import { StateBadge } from '../state-badge.js';
import { broadcastTexts } from '../texts.js';
import { ActionBar } from './action-bar.js';
import { FactsPanel } from './facts-panel.js';
import { OutcomePanel } from './outcome-panel.js';
import { isOutcome } from './outcomes.js';
import { PeoplePanel } from './people-panel.js';
import { ProgressPanel } from './progress-panel.js';
import { ReadyPanel } from './ready-panel.js';
import { StateNotice } from './state-notice.js';

export function BroadcastPage() {
  const t = useTexts(broadcastTexts);
  const maySend = useMay('developer');
  const { broadcastId } = useParams({ from: '/signed-in/broadcasts/$broadcastId' });
  const { data, error, refetch } = useQuery(broadcastQuery(broadcastId));
  const back = (
    <Link
      to="/broadcasts"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t.title}
    </Link>
  );
  return (
    <Page
      title={data?.broadcast.name ?? t.title}
      before={back}
      note={data && <StateBadge state={data.broadcast.state} />}
      actions={data && maySend ? <ActionBar found={data} /> : undefined}
    >
      <FailureNotice failure={error} onRetry={refetch} />
      {data === undefined && error === null && (
        <Panel>
          <SkeletonLines count={6} />
        </Panel>
      )}
      {data !== undefined && <BroadcastBody found={data} />}
    </Page>
  );
}

function BroadcastBody({ found }: { found: CountedBroadcast }) {
  const { outcome } = useSearch({ from: '/signed-in/broadcasts/$broadcastId' });
  const { broadcast, counts } = found;
  const { broadcast_id: broadcastId, state } = broadcast;
  return (
    // Room for the bar of actions at the bottom of a phone.
    <div className="flex flex-col gap-6 pb-20 *:min-w-0 sm:pb-0">
      <StateNotice broadcast={broadcast} />
      {isBeforeStart(state) ? <ReadyPanel broadcast={broadcast} /> : <ProgressPanel found={found} />}
      <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-2">
        <OutcomePanel broadcastId={broadcastId} counts={counts} chosen={outcome} />
        <FactsPanel found={found} />
      </div>
      <PeoplePanel
        broadcastId={broadcastId}
        outcome={isOutcome(outcome) ? outcome : undefined}
        moving={isMoving(state)}
      />
    </div>
  );
}
