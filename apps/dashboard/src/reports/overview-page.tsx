import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Page } from '../ui/layout/page.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Select } from '../form/select.js';
import { Skeleton, SkeletonLines } from '../ui/layout/skeleton.js';
import { FirstSteps, hasOpenSteps } from './first-steps.js';
import { NowFigures } from './now-figures.js';
import { OtpLatency } from './otp-latency.js';
import type { Overview } from './overview.js';
import { reportTexts } from './texts.js';

const FlowChart = lazy(async () => ({ default: (await import('./flow-chart.js')).FlowChart }));

const spans = { day: 24, three: 72, week: 168 } as const;
const refreshMs = 30_000;

export function OverviewPage() {
  const t = useTexts(reportTexts);
  const [hours, setHours] = useState<number>(spans.day);
  const { data, error, refetch } = useQuery({
    ...readQuery('readOverview', { query: { hours } }),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
  });
  const isNew = data !== undefined && hasOpenSteps(data.first_steps);
  const spanChoice = (
    <Select aria-label={t.span} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
      {(['day', 'three', 'week'] as const).map((span) => (
        <option key={span} value={spans[span]}>
          {t.spans[span]}
        </option>
      ))}
    </Select>
  );
  const first = isNew && !data.first_steps.message_sent;
  return (
    <Page
      title={first ? t.welcome : t.title}
      {...(first ? { note: t.welcomeNote } : {})}
      actions={first ? undefined : spanChoice}
    >
      <FailureNotice failure={error} onRetry={refetch} />
      {data === undefined && error === null && (
        <Panel>
          <SkeletonLines count={8} />
        </Panel>
      )}
      {isNew && <FirstSteps overview={data} />}
      {data !== undefined && !first && (
        <>
          <NowFigures overview={data} />
          <Flow overview={data} />
          <OtpLatency overview={data} />
        </>
      )}
    </Page>
  );
}

function Flow({ overview }: { overview: Overview }) {
  const t = useTexts(reportTexts);
  const isEmpty = overview.hours.every(({ accepted, delivered, failed }) => accepted + delivered + failed === 0);
  return (
    <Panel>
      <PanelHead title={t.flow} />
      <div className="px-5 pb-5">
        {isEmpty ? (
          <p className="py-10 text-center text-sm text-ink-soft">{t.nothingYet}</p>
        ) : (
          <Suspense fallback={<Skeleton className="h-60" />}>
            <FlowChart hours={overview.hours} />
          </Suspense>
        )}
      </div>
    </Panel>
  );
}
