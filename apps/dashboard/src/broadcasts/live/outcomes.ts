/** The lines of the result: each outcome that somebody has, with its reasons. */
import type { DashboardQueryInput } from '@kurir/contracts/dashboard';
import type { Tone } from '../../ui/tone.js';
import type { Counts } from '../figures.js';

export type Outcome = NonNullable<NonNullable<DashboardQueryInput<'listBroadcastRecipients'>>['outcome']>;

/** From what is good to what is not, and then what is still to come. */
export const outcomeTones: Record<Outcome, Tone> = {
  read: 'ok',
  delivered: 'ok',
  sent: 'ok',
  failed: 'bad',
  unknown: 'warn',
  expired: 'warn',
  skipped: 'neutral',
  cancelled: 'neutral',
  sending: 'accent',
  queued: 'neutral',
  pending: 'neutral',
};

// The record has exactly these keys; Object.keys only knows `string`.
export const outcomes = Object.keys(outcomeTones) as readonly Outcome[];

export const isOutcome = (text: string | undefined): text is Outcome => outcomes.some((outcome) => outcome === text);

export type OutcomeLine = {
  readonly outcome: Outcome;
  readonly count: number;
  readonly reasons: Counts['failed'] | Counts['skipped'];
};

export function linesOf({ pending, skipped, messages, failed }: Counts): OutcomeLine[] {
  const countOf = (outcome: Outcome): number => {
    if (outcome === 'pending') return pending;
    if (outcome === 'skipped') return skipped.reduce((sum, { count }) => sum + count, 0);
    return messages[outcome] ?? 0;
  };
  const reasonsOf = (outcome: Outcome) => (outcome === 'failed' ? failed : outcome === 'skipped' ? skipped : []);
  return outcomes
    .map((outcome) => ({ outcome, count: countOf(outcome), reasons: reasonsOf(outcome) }))
    .filter(({ count }) => count > 0);
}
