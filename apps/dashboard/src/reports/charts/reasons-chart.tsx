/** A bar for each hour or day, with a piece for each reason why messages failed. */
import { useState } from 'react';
import { formatCount, formatShortCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Report } from './report.js';
import { chartTexts } from './chart-texts.js';
import { ChartTable } from './chart-table.js';
import { Frame, heightScale, widthScale } from './frame.js';
import { useNameOfPart } from './use-part-name.js';

const fewest = 4;
/** In the order of the reasons, like the dots of their list. */
const fills = ['fill-bad', 'fill-warn', 'fill-accent', 'fill-ok', 'fill-ink-faint'] as const;

type ReasonsChartProps = { report: Report; names: readonly string[] };

export function ReasonsChart({ report, names }: ReasonsChartProps) {
  const t = useTexts(chartTexts);
  const language = useLanguage();
  const nameOf = useNameOfPart(report);
  const [at, setAt] = useState<number | null>(null);
  const { parts, failed_for: reasons } = report;
  const y = heightScale(Math.max(fewest, ...parts.map(({ failed }) => failed)));
  const { width } = widthScale(parts.length);
  const shown = at === null ? undefined : parts[at];
  return (
    <figure>
      <figcaption className="min-h-5 text-right text-xs text-ink-faint tabular">
        {shown && `${nameOf(shown.start)}: ${formatCount(shown.failed, language)}`}
      </figcaption>
      <Frame
        label={t.reasonsLabel}
        report={report}
        y={y}
        nameOf={(value) => formatShortCount(value, language)}
        className="h-32"
        onPointerLeave={() => setAt(null)}
      >
        {parts.map((part, i) => (
          <g key={part.start} onPointerEnter={() => setAt(i)}>
            <rect x={i * width} width={width} height={100} className={i === at ? 'fill-sunken' : 'fill-transparent'} />
            {reasons.map(({ counts }, n) => {
              const below = reasons.slice(0, n).reduce((sum, other) => sum + (other.counts[i] ?? 0), 0);
              const top = y(below + (counts[i] ?? 0));
              return (
                <rect
                  key={n}
                  x={(i + 0.14) * width}
                  width={width * 0.72}
                  y={top}
                  height={Math.max(0, y(below) - top)}
                  className={fills[n] ?? 'fill-line-strong'}
                />
              );
            })}
          </g>
        ))}
      </Frame>
      <ChartTable
        label={t.reasons}
        report={report}
        columns={reasons.map(({ counts }, n) => ({
          name: `${n}`,
          header: names[n] ?? '',
          valueOf: (_, i) => formatCount(counts[i] ?? 0, language),
        }))}
      />
    </figure>
  );
}
