import { lazy, Suspense } from 'react';
import { formatCount, formatSpan } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Skeleton } from '../ui/layout/skeleton.js';
import type { Report } from './charts/report.js';
import { reportTexts } from './texts.js';

const LatencyChart = lazy(async () => ({ default: (await import('./charts/latency-chart.js')).LatencyChart }));

export function OtpLatency({ report }: { report: Report }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const { otp } = report;
  const figures = [
    { name: t.half, ms: otp.p50_ms },
    { name: t.nearlyAll, ms: otp.p99_ms },
  ];
  return (
    <Panel>
      <PanelHead title={t.otp} note={otp.count === 0 ? t.otpNone : t.otpNote(formatCount(otp.count, language))} />
      {otp.count > 0 && (
        <div className="flex flex-col gap-4 px-5 pb-5">
          <div className="flex flex-wrap gap-x-10 gap-y-4">
            {figures.map(({ name, ms }) => (
              <p key={name}>
                <span className="block text-xl font-semibold tracking-[-0.02em] tabular">
                  {ms === null ? '–' : formatSpan(ms)}
                </span>
                <span className="text-sm text-ink-soft">{name}</span>
              </p>
            ))}
          </div>
          <Suspense fallback={<Skeleton className="h-28" />}>
            <LatencyChart report={report} />
          </Suspense>
        </div>
      )}
    </Panel>
  );
}
