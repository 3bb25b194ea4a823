import type { Attempt } from '../state.js';
import type { deliveryTexts } from './texts.js';

type Texts = Pick<(typeof deliveryTexts)['en'], 'errors' | 'wrongStatus'>;

/** Says what to do about a failed attempt. Returns null for one that was taken, and the word itself for an unknown error. */
export function sentenceOf({ outcome, error }: Pick<Attempt, 'outcome' | 'error'>, t: Texts): string | null {
  if (outcome === 'delivered') return null;
  if (error === null) return t.wrongStatus;
  return Object.entries(t.errors).find(([word]) => word === error)?.[1] ?? error;
}
