import { countCodePoints } from '@kurir/contracts/dashboard';
import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { templateTexts } from '../texts.js';

/** Says how long the text is, if the gateway would refuse it. */
export function useTooLong(text: string, most: number): string | null {
  const t = useTexts(templateTexts);
  const language = useLanguage();
  const count = countCodePoints(text);
  return count <= most ? null : t.tooLong(formatCount(count, language), formatCount(most, language));
}
