/**
 * Searches the indexes of both languages. Sections with all words come before sections with some of them, and in each
 * half the language of the reader comes first.
 */
import MiniSearch, { type SearchResult } from 'minisearch';
import { indexOptions, searchOptions, settingsFirst } from './search-options.js';

export type LanguageSearch = { search(text: string): SearchResult[] };

/** A page has at most so many results. Otherwise a long page would fill the list. */
const maxSections = 3;

const pageOf = ({ id }: SearchResult) => String(id).replace(/#.*$/, '');

function withoutMany(results: readonly SearchResult[]): SearchResult[] {
  const counts = new Map<string, number>();
  return results.filter((result) => {
    const count = (counts.get(pageOf(result)) ?? 0) + 1;
    counts.set(pageOf(result), count);
    return count <= maxSections;
  });
}

/** `texts` are the stored indexes, that of the reader first. */
export function createLanguageSearch(texts: readonly string[]): LanguageSearch {
  const indexes = texts.map((text) => MiniSearch.loadJSON(text, { ...indexOptions, searchOptions }));
  return {
    search(text) {
      const options = /\bKURIR_/i.test(text) ? settingsFirst : {};
      const whole = indexes.flatMap((index) => index.search(text, { ...options, combineWith: 'AND' }));
      const found = new Set(whole.map(({ id }) => id));
      const partly = indexes.flatMap((index) => index.search(text, options)).filter(({ id }) => !found.has(id));
      return withoutMany([...whole, ...partly]);
    },
  };
}
