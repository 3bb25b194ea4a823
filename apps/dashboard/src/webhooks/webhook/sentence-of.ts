import type { Attempt } from '../state.js';
import type { deliveryTexts } from './texts.js';

type Texts = Pick<(typeof deliveryTexts)['en'], 'errors' | 'wrongStatus' | 'notTrusted'>;

/** The usual statuses of a receiver that finds a signature wrong. */
const notTrusted: ReadonlySet<number | null> = new Set([401, 403]);

/** Says what to do about a failed attempt. Returns null for one that was taken, and the word itself for an unknown error. */
export function sentenceOf(
  { outcome, error, status }: Pick<Attempt, 'outcome' | 'error' | 'status'>,
  t: Texts,
): string | null {
  if (outcome === 'delivered') return null;
  if (error === null) return notTrusted.has(status) ? t.notTrusted : t.wrongStatus;
  return Object.entries(t.errors).find(([word]) => word === error)?.[1] ?? error;
}
