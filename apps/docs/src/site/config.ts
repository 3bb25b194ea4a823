/** The site: VitePress with the documents of the repository, in two languages, without anything inline. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { stagePages } from '../pages/stage-pages.js';
import { compressFiles, withoutInlineScripts, withoutStyleAttributes, writeAsset } from './built-files.js';
import { sandboxNetworks } from './sandbox-networks.js';
import { indexOptions } from '../search/search-options.js';
import { searchInTheme } from './search-in-theme.js';
import { searchText } from './search-text.js';
import { createCodeColours } from './code-colours.js';
import { plainMarkdown } from './plain-markdown.js';
import { locales, searchLocales } from './locales.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const [root, folder, out] = [here('../../../..'), here('../../generated'), here('../../dist')];
const base = '/docs/';

const colours = createCodeColours();
let colourFile: string | null = null;

stagePages({ root, folder });

export default defineConfig({
  base,
  srcDir: 'generated',
  outDir: out,
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  lastUpdated: false,
  // Otherwise the theme adds a style element, which the policy of the pages forbids.
  appearance: { disableTransition: false },
  title: 'Kurir',
  titleTemplate: ':title · Kurir',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  locales: locales(root),
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    search: {
      provider: 'local',
      options: {
        locales: searchLocales,
        detailedView: true,
        miniSearch: { options: indexOptions },
        _render: (markdown, env, md) => md.renderAsync(searchText(markdown, env.relativePath), env),
      },
    },
  },
  vite: { plugins: [sandboxNetworks, searchInTheme] },
  markdown: {
    html: false,
    linkify: false,
    config: plainMarkdown,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [colours.transformer],
  },
  transformHead: () => {
    colourFile ??= writeAsset(out, base, { name: 'code', ending: 'css', text: colours.css() });
    return [['link', { rel: 'stylesheet', href: colourFile }]];
  },
  transformHtml: (html) =>
    withoutInlineScripts(withoutStyleAttributes(html), (text) =>
      writeAsset(out, base, { name: 'inline', ending: 'js', text }),
    ),
  buildEnd: () => compressFiles(out),
});
