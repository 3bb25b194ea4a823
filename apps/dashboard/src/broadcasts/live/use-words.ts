import { outcomeReason, outcomeWords } from '@kurir/contracts/dashboard';
import { useLanguage } from '../../i18n/language.js';
import type { Outcome } from './outcomes.js';

/** The words for outcomes, and the sentences for their reasons. */
export function useWords() {
  const language = useLanguage();
  return {
    outcome: (outcome: Outcome): string => outcomeWords[language][outcome],
    reason: (reason: string): string => outcomeReason(reason, language),
  };
}
