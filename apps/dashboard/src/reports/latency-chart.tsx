/** The p50 and p99 latency of one-time codes: a line for each hour from p50 to p99. */
import { scaleLinear } from '@visx/scale';
import { useTexts } from '../i18n/texts.js';
import type { Overview } from './overview.js';
import { reportTexts } from './texts.js';

const size = { width: 600, height: 80 };

export function LatencyChart({ hours }: { hours: Overview['hours'] }) {
  const t = useTexts(reportTexts);
  const most = Math.max(1, ...hours.map(({ otp }) => otp.p99_ms ?? 0));
  const x = scaleLinear({ domain: [0, Math.max(1, hours.length - 1)], range: [5, size.width - 5] });
  const y = scaleLinear({ domain: [0, most], range: [size.height - 6, 6] });
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={t.latencyLabel} className="h-full w-full">
      <line x1="0" x2={size.width} y1={size.height - 1} y2={size.height - 1} className="stroke-line-strong" />
      {hours.map(({ hour, otp }, i) =>
        otp.p50_ms === null || otp.p99_ms === null ? null : (
          <g key={hour}>
            <line
              x1={x(i)}
              x2={x(i)}
              y1={y(otp.p50_ms)}
              y2={y(otp.p99_ms)}
              strokeWidth="3"
              strokeLinecap="round"
              className="stroke-accent/30"
            />
            <circle cx={x(i)} cy={y(otp.p50_ms)} r="3.2" className="fill-accent" />
            <circle cx={x(i)} cy={y(otp.p99_ms)} r="2.6" strokeWidth="1.6" className="fill-surface stroke-accent" />
          </g>
        ),
      )}
    </svg>
  );
}
