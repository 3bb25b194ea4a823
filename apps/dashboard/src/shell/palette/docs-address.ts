import type { Language } from '../../i18n/language.js';

/** The documentation in the language of the page. With a text, it opens its search. */
export const docsAddress = (language: Language, text = ''): string =>
  `${language === 'id' ? '/docs/id/' : '/docs/'}${text === '' ? '' : `?${new URLSearchParams({ search: text }).toString()}`}`;
