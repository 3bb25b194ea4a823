import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';

/** Writes a number as people of the language do. */
export function useCount(): (value: number) => string {
  const language = useLanguage();
  return (value) => formatCount(value, language);
}
