import { reasonSentence, reasonTexts } from '../../messages/reasons.js';
import { statusTexts } from '../../messages/status.js';
import { useTexts } from '../../i18n/texts.js';
import type { Outcome } from './outcomes.js';
import { skipTexts } from '../skip-texts.js';
import { liveTexts } from './texts.js';

/** The words for outcomes, and the sentences for their reasons. */
export function useWords() {
  const t = useTexts(liveTexts);
  const status = useTexts(statusTexts);
  const skips = useTexts(skipTexts);
  const reasons = useTexts(reasonTexts);
  return {
    outcome: (outcome: Outcome): string =>
      outcome === 'pending' ? t.pending : outcome === 'skipped' ? t.skipped : status[outcome],
    reason: (reason: string): string => reasonSentence(reason, { ...reasons, ...skips }),
  };
}
