/** Gives the search of the theme our index and our order of results. The theme keeps the window and the excerpts. */
import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(`../search/${name}`, import.meta.url));

const ours: Readonly<Record<string, string>> = {
  '@localSearchIndex': fileOf('theme-index.ts'),
  minisearch: fileOf('theme-minisearch.ts'),
};

export const searchInTheme = {
  name: 'search-in-theme',
  enforce: 'pre',
  resolveId(asked: string, importer?: string): string | null {
    // The theme's own index.
    if (asked === '#search-indexes') return '/@localSearchIndex';
    return importer?.includes('VPLocalSearchBox.vue') === true ? (ours[asked] ?? null) : null;
  },
} as const;
