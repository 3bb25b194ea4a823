/** A bar for each hour or day: accepted messages in a light colour, delivered ones in a strong one, failed ones on top. */
import { useState } from 'react';
import { formatCount, formatShare, formatShortCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Part, Report } from './report.js';
import { chartTexts } from './chart-texts.js';
import { ChartTable } from './chart-table.js';
import { Frame, type HeightScale, heightScale, widthScale } from './frame.js';
import { Legend } from './legend.js';
import { useNameOfPart } from './use-part-name.js';

const fewest = 4;

export function FlowChart({ report }: { report: Report }) {
  const t = useTexts(chartTexts);
  const language = useLanguage();
  const nameOf = useNameOfPart(report);
  const [at, setAt] = useState<number | null>(null);
  const { parts } = report;
  const shown = parts[at ?? parts.length - 1];
  const y = heightScale(
    Math.max(fewest, ...parts.map((part) => Math.max(part.accepted, part.delivered + part.failed))),
  );
  const { width } = widthScale(parts.length);
  const count = (of: (part: Part) => number) => (part: Part) => formatCount(of(part), language);
  return (
    <figure>
      {shown && (
        <Legend
          when={nameOf(shown.start)}
          entries={[
            { name: t.accepted, value: shown.accepted, look: 'bg-accent/25' },
            { name: t.delivered, value: shown.delivered, look: 'bg-accent' },
            { name: t.failed, value: shown.failed, look: 'bg-bad' },
          ]}
        />
      )}
      <Frame
        label={t.chartLabel}
        report={report}
        y={y}
        nameOf={(value) => formatShortCount(value, language)}
        className="h-52"
        onPointerLeave={() => setAt(null)}
      >
        {parts.map((part, i) => (
          <g key={part.start} onPointerEnter={() => setAt(i)}>
            <rect x={i * width} width={width} height={100} className={i === at ? 'fill-sunken' : 'fill-transparent'} />
            <Bar part={part} x={(i + 0.14) * width} width={width * 0.72} y={y} />
          </g>
        ))}
      </Frame>
      <ChartTable
        label={t.flow[report.unit]}
        report={report}
        columns={[
          { name: 'accepted', header: t.accepted, valueOf: count((part) => part.accepted) },
          { name: 'delivered', header: t.delivered, valueOf: count((part) => part.delivered) },
          {
            name: 'share',
            header: t.deliveredShare,
            valueOf: (part) => (part.accepted === 0 ? '–' : formatShare(part.delivered, part.accepted, language)),
            wide: true,
          },
          { name: 'failed', header: t.failed, valueOf: count((part) => part.failed) },
        ]}
      />
    </figure>
  );
}

function Bar({ part, x, width, y }: { part: Part; x: number; width: number; y: HeightScale }) {
  const bar = (from: number, to: number) => ({ x, width, y: y(to), height: Math.max(0, y(from) - y(to)) });
  return (
    <>
      <rect {...bar(0, part.accepted)} className="fill-accent/25" />
      <rect {...bar(0, part.delivered)} className="fill-accent" />
      {part.failed > 0 && <rect {...bar(part.delivered, part.delivered + part.failed)} className="fill-bad" />}
    </>
  );
}
