import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../form/select.js';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { FirstSteps } from './first-steps.js';
import { NowFigures } from './now-figures.js';
import { ReportPanels } from './report-panels.js';
import { hasOpenSteps } from './steps.js';
import { type Span, spans } from './spans.js';
import { reportTexts } from './texts.js';

const refreshMs = 30_000;

export function OverviewPage() {
  const t = useTexts(reportTexts);
  const [span, setSpan] = useState<Span>('day');
  const { data, error, refetch } = useQuery({ ...readQuery('readOverview', {}), refetchInterval: refreshMs });
  const isNew = data !== undefined && hasOpenSteps(data.first_steps);
  const first = isNew && !data.first_steps.message_sent;
  return (
    <Page
      title={first ? t.welcome : t.title}
      {...(first ? { note: t.welcomeNote } : {})}
      actions={first ? undefined : <SpanChoice value={span} onChange={setSpan} />}
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
          <ReportPanels span={span} />
        </>
      )}
    </Page>
  );
}

function SpanChoice({ value, onChange }: { value: Span; onChange: (span: Span) => void }) {
  const t = useTexts(reportTexts);
  return (
    <Select
      aria-label={t.span}
      value={value}
      onChange={(event) => onChange(spans.find((span) => span === event.target.value) ?? 'day')}
    >
      {spans.map((span) => (
        <option key={span} value={span}>
          {t.spans[span]}
        </option>
      ))}
    </Select>
  );
}
