/** A bar for each hour: accepted messages in a light colour, delivered ones in a strong colour, failed ones on top. */
import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import { formatMoment, formatShortCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { HoursTable } from './hours-table.js';
import type { Overview } from './overview.js';
import { reportTexts } from './texts.js';

type Hours = Overview['hours'];
const size = { width: 1_000, height: 250, left: 46, bottom: 26, top: 12 };
const mostLabels = 8;

function scalesOf(hours: Hours) {
  const x = scaleBand({ domain: hours.map(({ hour }) => hour), range: [size.left, size.width], paddingInner: 0.28 });
  const most = Math.max(4, ...hours.map((hour) => Math.max(hour.accepted, hour.delivered + hour.failed)));
  const y = scaleLinear({ domain: [0, most], range: [size.height - size.bottom, size.top], nice: 4 });
  return { x, y };
}

type Scales = ReturnType<typeof scalesOf>;

export function FlowChart({ hours }: { hours: Hours }) {
  const t = useTexts(reportTexts);
  const [at, setAt] = useState<number | null>(null);
  const shown = hours[at ?? hours.length - 1];
  const { x, y } = scalesOf(hours);
  return (
    <figure>
      {shown && <Legend hour={shown} />}
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={t.chartLabel}
        className="h-60 w-full overflow-visible"
        preserveAspectRatio="none"
        onPointerLeave={() => setAt(null)}
      >
        {y.ticks(4).map((tick) => (
          <line
            key={tick}
            x1={size.left}
            x2={size.width}
            y1={y(tick)}
            y2={y(tick)}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {hours.map((hour, i) => (
          <Bar
            key={hour.hour}
            hour={hour}
            x={x(hour.hour) ?? 0}
            width={x.bandwidth()}
            y={y}
            isShown={i === at}
            onEnter={() => setAt(i)}
          />
        ))}
      </svg>
      <AxisLabels hours={hours} x={x} y={y} />
      <HoursTable hours={hours} />
    </figure>
  );
}

/** The labels are HTML, because the picture stretches and would stretch its text too. */
function AxisLabels({ hours, x, y }: { hours: Hours } & Scales) {
  const language = useLanguage();
  const every = Math.ceil(hours.length / mostLabels);
  const clock = (iso: string) =>
    hours.length > 48 ? formatMoment(iso, language) : formatMoment(iso, language).split(/,\s?/).at(-1);
  return (
    <div aria-hidden className="relative -mt-6 h-5 text-[11px] text-ink-faint tabular">
      {hours.map(
        (hour, i) =>
          i % every === 0 && (
            <span
              key={hour.hour}
              className={`absolute -translate-x-1/2 whitespace-nowrap ${(i / every) % 2 === 1 ? 'max-sm:hidden' : ''}`}
              style={{ left: `${(((x(hour.hour) ?? 0) + x.bandwidth() / 2) / size.width) * 100}%` }}
            >
              {clock(hour.hour)}
            </span>
          ),
      )}
      {y.ticks(4).map((tick) => (
        <span
          key={tick}
          className="absolute left-0 -translate-y-1/2"
          style={{ bottom: `${((size.height - y(tick)) / size.height) * 15 - 1.25}rem` }}
        >
          {formatShortCount(tick, language)}
        </span>
      ))}
    </div>
  );
}

type BarProps = {
  hour: Hours[number];
  x: number;
  width: number;
  y: (value: number) => number;
  isShown: boolean;
  onEnter: () => void;
};

function Bar({ hour, x, width, y, isShown, onEnter }: BarProps) {
  const base = y(0);
  const bar = (from: number, to: number) => ({ x, width, y: y(to), height: Math.max(0, y(from) - y(to)) });
  return (
    <g onPointerEnter={onEnter}>
      <rect
        x={x - width * 0.2}
        width={width * 1.4}
        y={0}
        height={base}
        className={isShown ? 'fill-sunken' : 'fill-transparent'}
      />
      <rect {...bar(0, hour.accepted)} rx="2" className="fill-accent/25" />
      <rect {...bar(0, hour.delivered)} rx="2" className="fill-accent" />
      {hour.failed > 0 && <rect {...bar(hour.delivered, hour.delivered + hour.failed)} rx="2" className="fill-bad" />}
    </g>
  );
}

function Legend({ hour }: { hour: Hours[number] }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const entries = [
    { name: t.accepted, value: hour.accepted, look: 'bg-accent/25' },
    { name: t.delivered, value: hour.delivered, look: 'bg-accent' },
    { name: t.failed, value: hour.failed, look: 'bg-bad' },
  ];
  return (
    <figcaption className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      {entries.map(({ name, value, look }) => (
        <span key={name} className="flex items-center gap-2">
          <span aria-hidden className={`size-2.5 rounded-[3px] ${look}`} />
          <span className="text-ink-soft">{name}</span>
          <span className="min-w-8 font-medium tabular">{formatShortCount(value, language)}</span>
        </span>
      ))}
      <span className="ml-auto text-xs text-ink-faint tabular">{formatMoment(hour.hour, language)}</span>
    </figcaption>
  );
}
