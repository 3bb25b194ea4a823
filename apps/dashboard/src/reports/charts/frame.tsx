/** The axes and the grid of a chart. Its children are drawn in percent of its width and height. */
import { scaleLinear } from '@visx/scale';
import { clsx } from 'clsx';
import type { PointerEventHandler, ReactNode } from 'react';
import { formatClock, formatShortDay } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import type { Report } from './report.js';
import { marksOf, namesDay } from './marks.js';

const gridLines = 4;

/** Places a value: 100 is the bottom. */
export function heightScale(most: number, lines = gridLines) {
  return scaleLinear({ domain: [0, most], range: [100, 0], nice: lines });
}
export type HeightScale = ReturnType<typeof heightScale>;

/** Returns the middle of a part and its width. */
export function widthScale(count: number) {
  const width = 100 / Math.max(1, count);
  return { width, middleOf: (i: number) => (i + 0.5) * width };
}

type FrameProps = {
  label: string;
  report: Pick<Report, 'unit' | 'parts'>;
  y: HeightScale;
  nameOf: (value: number) => string;
  lines?: number;
  className: string;
  onPointerLeave?: PointerEventHandler;
  /** HTML above the picture: points stay round, whatever its shape. */
  above?: ReactNode;
  children: ReactNode;
};

export function Frame({
  label,
  report,
  y,
  nameOf,
  lines = gridLines,
  className,
  above,
  children,
  ...rest
}: FrameProps) {
  const language = useLanguage();
  const { middleOf } = widthScale(report.parts.length);
  const nameOfPart = (i: number) => {
    const start = report.parts[i]?.start ?? '';
    return namesDay(report, i) ? formatShortDay(start, language) : formatClock(start, language);
  };
  return (
    <div className={clsx('relative mt-3 mb-7 ml-12', className)}>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className="absolute inset-0 size-full overflow-visible"
        {...rest}
      >
        {y.ticks(lines).map((tick) => (
          <line
            key={tick}
            x2={100}
            y1={y(tick)}
            y2={y(tick)}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {children}
      </svg>
      {above}
      <div aria-hidden className="pointer-events-none text-[11px] text-ink-faint tabular">
        {y.ticks(lines).map((tick) => (
          <span
            key={tick}
            className="absolute right-full -translate-y-1/2 pr-2 whitespace-nowrap"
            style={{ top: `${y(tick)}%` }}
          >
            {nameOf(tick)}
          </span>
        ))}
        {marksOf(report).map((i, n) => (
          <span
            key={report.parts[i]?.start}
            className={clsx(
              'absolute top-full -translate-x-1/2 pt-1.5 whitespace-nowrap',
              n % 2 === 1 && 'max-sm:hidden',
            )}
            style={{ left: `${middleOf(i)}%` }}
          >
            {nameOfPart(i)}
          </span>
        ))}
      </div>
    </div>
  );
}
