/** Takes the place of `minisearch` in the search of the theme. */
import { createLanguageSearch, type LanguageSearch } from './search-languages.js';

export default { loadJSON: (texts: readonly string[]): LanguageSearch => createLanguageSearch(texts) };
