// Every path that a document names must exist: links, and words in `code` that begin with a folder of this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { walk } from '../source/source-files.mjs';

const FOLDERS = [
  'apps',
  'packages',
  'clients',
  'prisma',
  'bench',
  'e2e',
  'examples',
  'docs',
  'scripts',
  'docker',
  'deploy',
  '.ci',
];
/** Dated notes, which nobody keeps true. */
const JOURNAL = 'docs/lab/';
const LINK = /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
const CODE = /(`+)(.+?)\1/g;

/** Complaints about the Markdown files of `root`: `{files, problems: ["README.md:12: …"]}`. */
export function checkDocPaths(root) {
  const documents = findDocuments(root);
  const exists = (path) => pathExists(root, path);
  const problems = documents.flatMap((path) =>
    brokenPaths({ path, text: readFileSync(join(root, path), 'utf8'), exists }).map(
      ({ line, target }) => `${path}:${line}: ${target} does not exist`,
    ),
  );
  return { files: documents.length, problems };
}

function findDocuments(root) {
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const below = folders.flatMap((folder) => [...walk(root, folder)]).map(({ path }) => path);
  return [...atRoot, ...below.filter((path) => path.endsWith('.md') && !path.startsWith(JOURNAL))];
}

/** `[{line, target}]` for the paths in one document that `exists` denies. Code blocks are left out: they show output. */
export function brokenPaths({ path, text, exists }) {
  const broken = [];
  let inBlock = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) inBlock = !inBlock;
    if (inBlock) continue;
    for (const target of [...linksIn(line, path), ...codePathsIn(line)]) {
      if (!exists(target)) broken.push({ line: index + 1, target });
    }
  }
  return broken;
}

function linksIn(line, path) {
  const targets = [...line.replace(CODE, '').matchAll(LINK)].map(([, target]) => target.replace(/#.*$/, ''));
  const local = targets.filter((target) => target && !/^[a-z][a-z+.-]*:/i.test(target));
  return local.map((target) => posix.join(target.startsWith('/') ? '.' : posix.dirname(path), decodeURI(target)));
}

function codePathsIn(line) {
  const words = [...line.matchAll(CODE)].flatMap(([, , code]) => code.trim().split(/[\s=]+/));
  return words
    .map((word) => word.replace(/^\.\//, '').replace(/(:\d+)?[.,;:]?$/, ''))
    .filter((word) => FOLDERS.includes(word.split('/')[0]) && word.includes('/') && !/[<>{}$…]/.test(word));
}

/** A built file counts as existing if its source exists. `*` stands for any part of one name. */
function pathExists(root, path) {
  const source = path.replace(/^((?:apps|packages)\/[^/]+|bench|e2e)\/dist\/(.+)\.js$/, '$1/src/$2.ts');
  if (!source.includes('*')) return existsSync(join(root, source));
  const [before] = source.split('*');
  const folder = posix.dirname(`${before}x`);
  const pattern = source.slice(folder === '.' ? 0 : folder.length + 1).split('/')[0];
  const name = new RegExp(`^${pattern.split('*').map(escapePattern).join('.*')}$`);
  return existsSync(join(root, folder)) && readdirSync(join(root, folder)).some((entry) => name.test(entry));
}

const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
