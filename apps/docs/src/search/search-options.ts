/** The index of one language: its fields, and how it compares them. The build and the browser need the same. */
import type { Options, SearchOptions } from 'minisearch';
import { pageWords } from './page-words.js';

/** A section of a page, as the build indexes it. */
export type Section = {
  readonly id: string;
  readonly title: string;
  /** The headings above it, the page first. */
  readonly titles: readonly string[];
  readonly text: string;
};

/** The first section of a page also has the words of the page. */
function wordsOf({ id, titles }: Section): string {
  const page = id.replace(/#.*$/, '');
  return [pageWords[id], titles.length === 0 && pageWords[page]].filter(Boolean).join(' ');
}

export const indexOptions: Options<Section> = {
  fields: ['title', 'titles', 'text', 'words'],
  storeFields: ['title', 'titles'],
  // MiniSearch asks for the fields to store, too.
  extractField: (section, name) => (name === 'words' ? wordsOf(section) : section[name as keyof Section]),
};

/** Words of questions, which say nothing about the page. */
const fillers = new Set(
  (
    'a an and are can do does for from how i in is it my of on or that the to what when where why with ' +
    'ada agar apa apakah atau bagaimana bisa cara dan dari dengan di itu kalau kapan ke kenapa saya supaya untuk yang'
  ).split(' '),
);

/**
 * The changelog names everything once, so it comes last. A guide explains what the reference lists. The tour for shop
 * owners touches everything, and each guide says more.
 */
const shares: readonly (readonly [start: string, share: number])[] = [
  ['/changelog', 0.05],
  ['/reference', 0.6],
  ['/shop-owners', 0.6],
  ['/id/shop-owners', 0.6],
];

const shareOf = (id: string) => shares.find(([start]) => id.startsWith(start))?.[1] ?? 1;

/** For a query that names a setting. The page of settings explains it, and other pages only use it. */
export const settingsFirst: SearchOptions = {
  boostDocument: (id) => (String(id).startsWith('/configuration') ? 3 : shareOf(String(id))),
};

const longWord = 5;

/** `weights` and `boost` are tuned by the queries of the test. */
export const searchOptions: SearchOptions = {
  boost: { words: 8, title: 4, titles: 1.5, text: 1 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length < longWord ? false : 0.2),
  weights: { prefix: 0.5, fuzzy: 0.2 },
  processTerm: (term) => {
    const word = term.toLowerCase();
    return fillers.has(word) ? null : word;
  },
  boostDocument: (id) => shareOf(String(id)),
};
