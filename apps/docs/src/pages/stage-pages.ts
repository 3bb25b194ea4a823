/**
 * Collects the pages for VitePress in one folder. They come from `docs` and from the changelog. The folder is made anew
 * each time, so it may be deleted.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { cleanMarkdown, descriptionOf } from './clean-markdown.js';
import { referencePages } from '../reference/reference-pages.js';
import { pageNames as listed } from './page-list.js';

export type Source = {
  /** The root of the repository. */
  readonly root: string;
  /** The folder for the pages. */
  readonly folder: string;
};

/** The first page stands in no list. */
const pageNames = ['index', ...listed];
const addressOf = (language: string, name: string) => `/${language}${name === 'index' ? '' : name}`;

/** Documents and files that keep another name on the site. */
const elsewhere: Readonly<Record<string, string>> = {
  'CHANGELOG.md': '/changelog',
  'docs/openapi.json': '/reference',
};

/** Returns a function that finds the page of a link in the document at `path`, which begins at the root. */
function pagesSeenFrom(path: string) {
  return (target: string): string | null => {
    const [file = '', anchor] = target.split('#');
    const full = posix.join(posix.dirname(path), file);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const moved = elsewhere[full];
    if (moved !== undefined) return moved + hash;
    const [, language = '', name = ''] = /^docs\/(id\/)?([\w-]+)\.md$/.exec(full) ?? [];
    if (pageNames.includes(name)) return addressOf(language, name) + hash;
    const [, image] = /^docs\/images\/([\w.-]+)$/.exec(full) ?? [];
    return image === undefined ? null : `/images/${image}`;
  };
}

/** `translation` is the address of the same page in the other language. */
function readPage(root: string, path: string, translation: string | null): string {
  const markdown = readFileSync(join(root, path), 'utf8');
  const head = { description: descriptionOf(markdown), ...(translation === null ? {} : { translation }) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${cleanMarkdown(markdown, { pageOf: pagesSeenFrom(path) })}`;
}

export function stagePages({ root, folder }: Source): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const name of pageNames) {
    const translated = `docs/id/${name}.md`;
    const isTranslated = existsSync(join(root, translated));
    write(`${name}.md`, readPage(root, `docs/${name}.md`, isTranslated ? addressOf('id/', name) : null));
    if (isTranslated) write(`id/${name}.md`, readPage(root, translated, addressOf('', name)));
  }
  for (const [name, markdown] of referencePages(root)) write(`${name}.md`, markdown);
  write('changelog.md', readPage(root, 'CHANGELOG.md', null));
  cpSync(join(root, 'apps/docs/public'), join(folder, 'public'), { recursive: true });
  cpSync(join(root, 'docs/images'), join(folder, 'public/images'), { recursive: true });
}
