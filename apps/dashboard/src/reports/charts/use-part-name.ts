import { formatDay, formatMoment } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import type { Report } from './report.js';

/** Names an hour or a day in full. */
export function useNameOfPart({ unit }: Pick<Report, 'unit'>): (start: string) => string {
  const language = useLanguage();
  return (start) => (unit === 'day' ? formatDay(start, language) : formatMoment(start, language));
}
