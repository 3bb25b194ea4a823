import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { type Tone, toneDot, toneFill } from './tone.js';

type BadgeProps = { tone?: Tone; dot?: boolean; moving?: boolean; children: ReactNode };

/** A short word for a state. The colour repeats the word: it never carries more meaning. */
export function Badge({ tone = 'neutral', dot = false, moving = false, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        toneFill[tone],
      )}
    >
      {dot && (
        <span aria-hidden className={clsx('size-1.5 rounded-full', toneDot[tone], moving && 'animate-breathe')} />
      )}
      {children}
    </span>
  );
}
