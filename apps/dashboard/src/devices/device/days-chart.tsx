/** A bar for each day: sent messages in a light colour, delivered ones in a strong one, failed ones on top. */
import { useState } from 'react';
import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { DataTable } from '../../ui/tables/data-table.js';
import type { HealthDay } from '../health-words.js';
import { numberHealthTexts } from './number-health-texts.js';

const size = { width: 600, height: 120 };
/** A day without messages still has a line to point at. */
const fewest = 4;

const badOf = ({ failed, refused }: HealthDay) => failed + refused;

/** `26 Nov`: the day is one of UTC, so the reader's zone must not move it. */
function useDayName(): (day: string) => string {
  const language = useLanguage();
  const form = new Intl.DateTimeFormat(language === 'id' ? 'id-ID' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return (day) => form.format(new Date(day));
}

export function DaysChart({ days }: { days: readonly HealthDay[] }) {
  const t = useTexts(numberHealthTexts);
  const [at, setAt] = useState<number | null>(null);
  const shown = days[at ?? days.length - 1];
  const most = Math.max(fewest, ...days.map((day) => day.sent + badOf(day)));
  const step = size.width / days.length;
  return (
    <figure>
      {shown && <Legend day={shown} />}
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={t.chart}
        className="h-28 w-full"
        preserveAspectRatio="none"
        onPointerLeave={() => setAt(null)}
      >
        <line
          x2={size.width}
          y1={size.height}
          y2={size.height}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {days.map((day, i) => (
          <g key={day.day} onPointerEnter={() => setAt(i)}>
            <rect
              x={i * step}
              width={step}
              height={size.height}
              className={i === at ? 'fill-sunken' : 'fill-transparent'}
            />
            <Bar day={day} x={i * step + step * 0.15} width={step * 0.7} scale={size.height / most} />
          </g>
        ))}
      </svg>
      <DaysTable days={days} />
    </figure>
  );
}

function Bar({ day, x, width, scale }: { day: HealthDay; x: number; width: number; scale: number }) {
  const bar = (from: number, count: number) => ({
    x,
    width,
    y: size.height - (from + count) * scale,
    height: count * scale,
  });
  return (
    <>
      <rect {...bar(0, day.sent)} className="fill-accent/25" />
      <rect {...bar(0, day.delivered)} className="fill-accent" />
      {badOf(day) > 0 && <rect {...bar(day.sent, badOf(day))} className="fill-bad" />}
    </>
  );
}

function Legend({ day }: { day: HealthDay }) {
  const t = useTexts(numberHealthTexts);
  const language = useLanguage();
  const dayName = useDayName();
  const entries = [
    { name: t.sent, value: day.sent, look: 'bg-accent/25' },
    { name: t.delivered, value: day.delivered, look: 'bg-accent' },
    { name: t.bad, value: badOf(day), look: 'bg-bad' },
  ];
  return (
    <figcaption className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      {entries.map(({ name, value, look }) => (
        <span key={name} className="flex items-center gap-2">
          <span aria-hidden className={`size-2.5 rounded-[3px] ${look}`} />
          <span className="text-ink-soft">{name}</span>
          <span className="font-medium tabular">{formatCount(value, language)}</span>
        </span>
      ))}
      <span className="ml-auto text-xs text-ink-faint tabular">{dayName(day.day)}</span>
    </figcaption>
  );
}

/** The picture as a table, for people who cannot see it or prefer numbers. */
function DaysTable({ days }: { days: readonly HealthDay[] }) {
  const t = useTexts(numberHealthTexts);
  const language = useLanguage();
  const dayName = useDayName();
  const counts = [
    ['sent', t.sent, (day: HealthDay) => day.sent],
    ['delivered', t.delivered, (day: HealthDay) => day.delivered],
    ['bad', t.bad, badOf],
    ['unknown', t.unknown, (day: HealthDay) => day.unknown],
    ['answers', t.answers, (day: HealthDay) => day.answers],
    ['opted_out', t.optedOut, (day: HealthDay) => day.opted_out],
  ] as const;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer py-3 text-xs sm:py-1 text-ink-faint hover:text-ink">{t.asTable}</summary>
      <div className="mt-2 max-h-72 overflow-y-auto rounded-md border border-line">
        <DataTable
          label={t.days}
          narrow="rows"
          rows={days.toReversed()}
          idOf={(day) => day.day}
          columns={[
            { name: 'day', header: t.day, cell: (day) => dayName(day.day) },
            ...counts.map(([name, header, countOf], i) => ({
              name,
              header,
              numeric: true,
              wide: i > 2,
              cell: (day: HealthDay) => formatCount(countOf(day), language),
            })),
          ]}
        />
      </div>
    </details>
  );
}
