// Checks some rules for prose of CONTRIBUTING.md. Each rule has an entry with a sentence that breaks it.
// `node scripts/verify/prose.mjs [path…]` lists what is found below these paths.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readProse } from './read-prose.mjs';

const maxWords = 25;

/** The sentence without marks of emphasis and quotes before its first word. */
const bare = (text) => text.replace(/^[*_("“'’]+/, '');

const countWords = (text) => text.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;

/** `breaks` sees one sentence; `planted` must break it, `innocent` must not. */
export const PROSE_RULES = {
  'short-sentence': {
    breaks: ({ text }) => countWords(text) > maxWords,
    message: `more than ${maxWords} words; say one thing a sentence`,
    planted: `${'word '.repeat(maxWords)}word.`,
    innocent: `${'word '.repeat(maxWords - 1)}word.`,
  },
  'no-fronted-of': {
    breaks: ({ text }) => /^of\b/i.test(bare(text)),
    message: 'begins with "Of …"; begin with who does it',
    planted: 'Of the codes of a lane one ticket waits.',
    innocent: 'A lane has at most one waiting ticket of codes.',
  },
  'no-clause-as-subject': {
    breaks: ({ text, kind }) =>
      kind !== 'heading' &&
      /^(what|who|whom|whose|whoever|whatever|whichever|however)\b(?!,)/i.test(bare(text)) &&
      !text.endsWith('?'),
    message: 'begins with a relative clause; name the thing',
    planted: 'What is full waits.',
    innocent: 'What happens if it runs twice?',
  },
  'returns-not-answers': {
    breaks: ({ text, kind }) =>
      kind === 'comment' &&
      /^[Aa]nswers\b|\b(and|it|that|function|which|or) answers\b|\banswers (with|whether|null|true|false|nothing|undefined)\b/.test(
        text,
      ),
    message: 'a function returns; only a server answers',
    planted: 'Answers null when nobody is there.',
    innocent: 'Returns null when nobody is there; the answers of the api stay as they are.',
  },
  'no-figures': {
    breaks: ({ text, kind }) =>
      kind === 'comment' && /\b\d[\d,.]*\s?(µs|ms|s|%|[kKMG]i?B|times|a second|seconds|minutes)(?!\w)/.test(text),
    message: 'a figure in a comment; give the constant a name with its unit, or measure it in docs/lab',
    planted: 'It takes 12 ms.',
    innocent: 'It takes no longer than the lease.',
  },
};

/** Words that the glossary replaced: the table of docs/glossary.md with the columns "Not" and "But". */
export function readReplacedWords(root) {
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('\n');
  const first = rows.findIndex((row) => /^\| Not\b/.test(row)) + 2;
  if (first < 2) throw new Error('docs/glossary.md has no table that begins with "| Not |"');
  const last = rows.findIndex((row, index) => index >= first && !row.startsWith('|'));
  return rows.slice(first, last === -1 ? undefined : last).flatMap((row) => {
    const [, not, but] = row.split('|').map((cell) => cell.trim());
    return not.split(', ').map((word) => ({ word, but, pattern: new RegExp(`\\b${word}\\b`, 'i') }));
  });
}

/** `{sentences, problems: [{path, line, rule, message, text}]}` */
export function checkProse(root) {
  const replaced = readReplacedWords(root);
  const sentences = readProse(root);
  const problems = sentences.flatMap((sentence) => [
    ...Object.entries(PROSE_RULES)
      .filter(([, { breaks }]) => breaks(sentence))
      .map(([rule, { message }]) => ({ ...sentence, rule, message })),
    ...(sentence.path === 'docs/glossary.md' ? [] : replaced)
      .filter(({ pattern }) => pattern.test(sentence.text))
      .map(({ word, but }) => ({
        ...sentence,
        rule: 'glossary-word',
        message: `"${word}"; the glossary says: ${but}`,
      })),
  ]);
  return { sentences: sentences.length, problems };
}

export const showProblem = ({ path, line, rule, message, text }) =>
  `${path}:${line}: ${message} (${rule}): ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, ''));
  const { sentences, problems } = checkProse(resolve(import.meta.dirname, '../..'));
  const shown = problems.filter(({ path }) => paths.length === 0 || paths.some((start) => path.startsWith(start)));
  for (const problem of shown) process.stdout.write(`${showProblem(problem)}\n`);
  const rules = [...new Set(shown.map(({ rule }) => rule))];
  const counts = rules.map((rule) => `${rule} ${shown.filter((problem) => problem.rule === rule).length}`);
  process.stdout.write(`${sentences} sentences read, ${shown.length} found: ${counts.join(', ')}\n`);
}
