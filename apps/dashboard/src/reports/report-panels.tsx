/** The panels with the outcomes of the messages of a span. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { formatCount, formatMoment } from '../format/format.js';
import { readQuery } from '../http/query.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Skeleton, SkeletonLines } from '../ui/layout/skeleton.js';
import { Busiest } from './busiest.js';
import { FailureReasons } from './failure-reasons.js';
import { OtpLatency } from './otp-latency.js';
import type { Report } from './charts/report.js';
import { type MessageSpan, messageSpanOf, queryOf, refreshMsOf, type Span } from './spans.js';
import { reportTexts } from './texts.js';
import { Totals } from './totals.js';

const FlowChart = lazy(async () => ({ default: (await import('./charts/flow-chart.js')).FlowChart }));

export function ReportPanels({ span }: { span: Span }) {
  const { data, error, refetch } = useQuery({
    ...readQuery('readReport', { query: queryOf(span) }),
    placeholderData: (before) => before,
    refetchInterval: refreshMsOf(span),
  });
  if (data === undefined) {
    return error === null ? (
      <Panel>
        <SkeletonLines count={8} />
      </Panel>
    ) : (
      <FailureNotice failure={error} onRetry={refetch} />
    );
  }
  const messages = messageSpanOf(span, data);
  return (
    <>
      <FailureNotice failure={error} onRetry={refetch} />
      <CountedSince report={data} />
      <Flow report={data} span={messages} />
      <FailureReasons report={data} span={messages} />
      {data.all.accepted > 0 && <Busiest report={data} span={messages} />}
      <OtpLatency report={data} />
    </>
  );
}

/** A report of very many messages counts only the newest ones. */
function CountedSince({ report }: { report: Report }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  if (report.counted_since === null) return null;
  return (
    <Notice>
      {t.countedSince(formatCount(report.all.accepted, language), formatMoment(report.counted_since, language))}
    </Notice>
  );
}

function Flow({ report, span }: { report: Report; span: MessageSpan }) {
  const t = useTexts(reportTexts);
  return (
    <Panel>
      <PanelHead title={t.flow[report.unit]} />
      <div className="px-5 pb-5">
        {report.all.accepted === 0 ? (
          <p className="py-10 text-center text-sm text-ink-soft">{t.nothingYet}</p>
        ) : (
          <>
            <Totals report={report} span={span} />
            <Suspense fallback={<Skeleton className="h-60" />}>
              <FlowChart report={report} />
            </Suspense>
          </>
        )}
      </div>
    </Panel>
  );
}
