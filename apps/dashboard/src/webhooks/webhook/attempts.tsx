import { attemptOutcomes } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../form/select.js';
import { call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import type { Attempt, Webhook } from '../state.js';
import { AttemptRow } from './attempt-row.js';
import { deliveryTexts } from './texts.js';

const refreshMs = 5_000;

type Outcome = Attempt['outcome'] | '';

export function Attempts({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const [outcome, setOutcome] = useState<Outcome>('');
  const params = { webhook_id: webhook.webhook_id };
  const list = useInfiniteQuery({
    queryKey: [...queryKey('listWebhookAttempts'), params, outcome],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(outcome === '' ? {} : { outcome }), ...(pageParam === null ? {} : { cursor: pageParam }) };
      return call('listWebhookAttempts', { params, query }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: refreshMs,
  });
  const attempts = list.data?.pages.flatMap((page) => page.attempts) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-ink-soft">{t.sampleNote}</p>
        <Select
          aria-label={t.outcome}
          value={outcome}
          onChange={({ target }) => setOutcome(attemptOutcomes.find((one) => one === target.value) ?? '')}
        >
          <option value="">{t.anyOutcome}</option>
          {attemptOutcomes.map((one) => (
            <option key={one} value={one}>
              {t.outcomes[one]}
            </option>
          ))}
        </Select>
      </div>
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel>
        {list.isPending && <SkeletonLines count={4} />}
        {list.data !== undefined && attempts.length === 0 && (
          <p className="px-5 py-12 text-center text-sm text-ink-soft">{outcome === '' ? t.noAttempts : t.noMatch}</p>
        )}
        <ul>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.attempt_id} attempt={attempt} webhook={webhook} />
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
