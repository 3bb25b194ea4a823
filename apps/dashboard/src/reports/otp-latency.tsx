import { lazy, Suspense } from 'react';
import { formatCount, formatSpan } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Skeleton } from '../ui/layout/skeleton.js';
import type { Overview } from './overview.js';
import { reportTexts } from './texts.js';

const LatencyChart = lazy(async () => ({ default: (await import('./latency-chart.js')).LatencyChart }));

export function OtpLatency({ overview }: { overview: Overview }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const { otp, hours } = overview;
  const figures = [
    { name: t.half, ms: otp.p50_ms },
    { name: t.nearlyAll, ms: otp.p99_ms },
  ];
  return (
    <Panel>
      <PanelHead title={t.otp} note={otp.count === 0 ? t.otpNone : t.otpNote(formatCount(otp.count, language))} />
      {otp.count > 0 && (
        <div className="flex flex-wrap items-end gap-x-10 gap-y-4 px-5 pb-5">
          {figures.map(({ name, ms }) => (
            <p key={name}>
              <span className="block text-2xl font-semibold tracking-[-0.02em] tabular">
                {ms === null ? '–' : formatSpan(ms)}
              </span>
              <span className="text-sm text-ink-soft">{name}</span>
            </p>
          ))}
          <div className="h-20 min-w-60 flex-1">
            <Suspense fallback={<Skeleton className="h-20" />}>
              <LatencyChart hours={hours} />
            </Suspense>
          </div>
        </div>
      )}
    </Panel>
  );
}
