/** The p50 and p99 latency of one-time codes: a line for each hour or day from p50 to p99. */
import { formatCount, formatSpan } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Report } from './report.js';
import { chartTexts } from './chart-texts.js';
import { ChartTable } from './chart-table.js';
import { Frame, heightScale, widthScale } from './frame.js';

const lines = 3;
const leastMs = 10;

export function LatencyChart({ report }: { report: Report }) {
  const t = useTexts(chartTexts);
  const language = useLanguage();
  const { parts } = report;
  const y = heightScale(Math.max(leastMs, ...parts.map(({ otp }) => otp.p99_ms ?? 0)), lines);
  const { middleOf } = widthScale(parts.length);
  const measured = parts.flatMap(({ start, otp: { p50_ms: half, p99_ms: most } }, i) =>
    half === null || most === null ? [] : [{ start, x: middleOf(i), half: y(half), most: y(most) }],
  );
  const span = (ms: number | null) => (ms === null ? '–' : formatSpan(ms));
  return (
    <figure>
      <Frame
        label={t.latencyLabel}
        report={report}
        y={y}
        nameOf={formatSpan}
        lines={lines}
        className="h-28"
        above={measured.map(({ start, x, half, most }) => (
          <span key={start} aria-hidden>
            <Point x={x} y={half} look="bg-accent" />
            <Point x={x} y={most} look="border-2 border-accent bg-surface" />
          </span>
        ))}
      >
        {measured.map(({ start, x, half, most }) => (
          <line
            key={start}
            x1={x}
            x2={x}
            y1={half}
            y2={most}
            strokeWidth="3"
            vectorEffect="non-scaling-stroke"
            className="stroke-accent/30"
          />
        ))}
      </Frame>
      <ChartTable
        label={t.otp}
        report={report}
        columns={[
          { name: 'count', header: t.codes, valueOf: ({ otp }) => formatCount(otp.count, language) },
          { name: 'p50', header: 'p50', valueOf: ({ otp }) => span(otp.p50_ms) },
          { name: 'p99', header: 'p99', valueOf: ({ otp }) => span(otp.p99_ms) },
        ]}
      />
    </figure>
  );
}

function Point({ x, y, look }: { x: number; y: number; look: string }) {
  return (
    <span
      className={`pointer-events-none absolute size-2 -translate-1/2 rounded-full ${look}`}
      style={{ left: `${x}%`, top: `${y}%` }}
    />
  );
}
