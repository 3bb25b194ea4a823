import type { Language } from '../../i18n/language.js';

/**
 * The first page of the documentation in the language of the page. The address names the language, which may not be that
 * of the browser. With a text, it opens the search.
 */
export const docsAddress = (language: Language, text = ''): string => {
  const query = new URLSearchParams({ lang: language, ...(text === '' ? {} : { search: text }) });
  return `/docs/${language === 'id' ? 'id/' : ''}?${query.toString()}`;
};
