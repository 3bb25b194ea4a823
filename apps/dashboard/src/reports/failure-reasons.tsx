import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { reasonTexts } from '../messages/reasons.js';
import { statusTexts } from '../messages/status.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Skeleton } from '../ui/layout/skeleton.js';
import type { Report } from './charts/report.js';
import type { MessageSpan } from './spans.js';
import { reportTexts } from './texts.js';

const ReasonsChart = lazy(async () => ({ default: (await import('./charts/reasons-chart.js')).ReasonsChart }));

const dots = ['bg-bad', 'bg-warn', 'bg-accent', 'bg-ok', 'bg-ink-faint'] as const;

/** Why messages failed: over time, and how often. Shows nothing if none failed. */
export function FailureReasons({ report, span }: { report: Report; span: MessageSpan }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const sentences: Readonly<Record<string, string>> = useTexts(reasonTexts);
  const statuses = useTexts(statusTexts);
  if (report.failed_for.length === 0) return null;
  const nameOf = (reason: string | null) => {
    if (reason === null) return t.otherReasons;
    return reason === 'expired' ? statuses.expired : (sentences[reason] ?? reason);
  };
  const filterOf = (reason: string) => (reason === 'expired' ? { status: 'expired' } : { status: 'failed', reason });
  return (
    <Panel>
      <PanelHead title={t.reasons} />
      <div className="px-5 pb-5">
        <Suspense fallback={<Skeleton className="h-32" />}>
          <ReasonsChart report={report} names={report.failed_for.map(({ reason }) => nameOf(reason))} />
        </Suspense>
        <ul className="mt-3 flex flex-col gap-1 text-sm">
          {report.failed_for.map(({ reason, counts }, i) => (
            <li key={reason ?? ''} className="flex items-start gap-2.5">
              <span
                aria-hidden
                className={`mt-4 size-2.5 shrink-0 rounded-[3px] sm:mt-1.5 ${dots[i] ?? 'bg-line-strong'}`}
              />
              {reason === null ? (
                <span className="min-w-0 flex-1 py-2.5 sm:py-0">{nameOf(reason)}</span>
              ) : (
                <Link
                  to="/messages"
                  search={{ ...filterOf(reason), ...span }}
                  className="min-w-0 flex-1 py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-current sm:py-0"
                >
                  {nameOf(reason)}
                </Link>
              )}
              <span className="font-medium tabular">
                {formatCount(
                  counts.reduce((sum, count) => sum + count, 0),
                  language,
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
