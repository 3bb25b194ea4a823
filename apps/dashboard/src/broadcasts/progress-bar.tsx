import { clsx } from 'clsx';
import type { Figures } from './figures.js';

type ProgressBarProps = { label: string; figures: Figures; tall?: boolean };

/** Shows which part of the messages is sent, failed or unknown. Words beside the bar say the same. */
export function ProgressBar({ label, figures, tall = false }: ProgressBarProps) {
  const { planned, sent, failed, unknown } = figures;
  const parts = [
    { count: sent, look: 'bg-ok' },
    { count: unknown, look: 'bg-warn' },
    { count: failed, look: 'bg-bad' },
  ];
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={planned}
      aria-valuenow={sent}
      className={clsx('flex w-full overflow-hidden rounded-full bg-line', tall ? 'h-3' : 'h-1.5')}
    >
      {parts.map(({ count, look }) => (
        <div
          key={look}
          className={clsx('h-full transition-[width] duration-500', look)}
          style={{ width: `${planned === 0 ? 0 : (count / planned) * 100}%` }}
        />
      ))}
    </div>
  );
}
