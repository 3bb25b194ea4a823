/** Finds texts on a page that belong to the other language. */
import type { Page } from 'playwright-core';
import type { Dictionary, Language } from './dictionaries.js';

/** Runs in the page: returns each text that a person sees or hears. Programs and what they print have no language. */
const shownTexts = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest('script, style, code, pre, [lang]:not(html)') === null) texts.push(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '');
  return [...new Set(texts.map((text) => text.replace(/ · Kurir$/, '').trim()).filter((text) => /\\p{L}/u.test(text)))];
})()`;

const has = ({ texts, patterns }: Dictionary, text: string) =>
  texts.has(text) || patterns.some((pattern) => pattern.test(text));

export async function foreignTexts(
  page: Page,
  language: Language,
  dictionaries: Record<Language, Dictionary>,
): Promise<string[]> {
  const other = dictionaries[language === 'en' ? 'id' : 'en'];
  const texts = await page.evaluate<string[]>(shownTexts);
  return texts.filter((text) => has(other, text) && !has(dictionaries[language], text));
}
