import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';

type MeterProps = {
  label: string;
  used: number;
  total: number;
  note?: ReactNode;
  /** `used` is the rest of the limit, so a low value is a warning. */
  fullIsGood?: boolean;
};

const nearlyThere = 0.85;

/** Shows how much of a limit is used. */
export function Meter({ label, used, total, note, fullIsGood = false }: MeterProps) {
  const language = useLanguage();
  const share = total === 0 ? 1 : Math.min(1, used / total);
  const isNear = fullIsGood ? share <= 1 - nearlyThere : share >= nearlyThere;
  return (
    <div>
      <div className="flex justify-between gap-4 text-sm">
        <span className="text-ink-soft">{label}</span>
        <span className="tabular">
          {formatCount(used, language)} / {formatCount(total, language)}
        </span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={used}
        aria-valuemin={0}
        aria-valuemax={total}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className={clsx('h-full rounded-full', isNear ? 'bg-warn' : 'bg-accent')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {note && <p className="mt-1 text-xs text-ink-faint">{note}</p>}
    </div>
  );
}
