// The sentences of comments, of documents, of the public description, and of the errors that the api answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { isSource, walk } from '../source/source-files.mjs';

/** Dated journals are never maintained, docs/operations.md has no sentences, and docs/id is Indonesian. */
const NOT_READ = /^docs\/(lab\/|id\/|operations\.md)/;

/** Directives to tools, licences and separators are no sentences. */
const DIRECTIVE = /^\s*(oxlint-|eslint-|biome-ignore|@ts-|v8 ignore|#region|#endregion|!\/|\/ ?<reference|@vite)/;

/** `[{path, line, text, kind}]`: one entry a sentence; `kind` is 'comment', 'document', 'heading', 'description' or 'error'. */
export function readProse(root) {
  const sentences = [];
  for (const { path, isFolder } of walk(root, '.')) {
    if (isFolder || NOT_READ.test(path)) continue;
    const read = readerOf(path);
    if (read === null) continue;
    for (const { line, text, kind } of read(readFileSync(join(root, path), 'utf8'), path))
      for (const sentence of splitSentences(text)) sentences.push({ path, line, kind, text: sentence });
  }
  return sentences;
}

function readerOf(path) {
  if (path.endsWith('.md')) return readDocument;
  if (path.endsWith('docs/openapi.json')) return readDescriptions;
  if (path.endsWith('.prisma')) return readPrisma;
  return isSource(path) ? readSource : null;
}

function* readSource(text, path) {
  const { program, comments } = parseSync(path, text);
  yield* readComments(comments, text);
  yield* readErrors(program, text);
}

/** The sentence of each `new ApiError(code, sentence)`. */
function readErrors(program, text) {
  const sentences = [];
  new Visitor({
    NewExpression({ callee, arguments: [, sentence], start }) {
      const words = callee.name === 'ApiError' ? wordsOf(sentence) : null;
      if (words) sentences.push({ line: countLines(text.slice(0, start)) + 1, text: words, kind: 'error' });
    },
  }).visit(program);
  return sentences;
}

function wordsOf(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('CODE');
  return typeof node?.value === 'string' ? node.value : null;
}

/** Comments that follow each other line by line are one text. */
function* readComments(comments, text) {
  let open = null;
  for (const { type, value, start, end } of comments) {
    if (DIRECTIVE.test(value)) continue;
    const between = open === null ? null : text.slice(open.end, start);
    if (type === 'Line' && open?.type === 'Line' && /^\s*$/.test(between) && countLines(between) === 1) {
      open = { ...open, end, value: `${open.value}\n${value}` };
      continue;
    }
    if (open) yield commentOf(open, text);
    open = { type, value, start, end };
  }
  if (open) yield commentOf(open, text);
}

const countLines = (text) => text.split('\n').length - 1;

function commentOf({ value, start }, text) {
  const plain = value
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n');
  return { line: countLines(text.slice(0, start)) + 1, text: plain, kind: 'comment' };
}

function* readPrisma(text) {
  const lines = text.split('\n');
  let open = null;
  for (const [index, line] of [...lines, ''].entries()) {
    const comment = /^\s*\/\/+ ?(.*)$/.exec(line);
    if (comment) {
      open ??= { line: index + 1, words: [] };
      open.words.push(comment[1]);
    } else if (open) {
      yield { line: open.line, text: open.words.join('\n'), kind: 'comment' };
      open = null;
    }
  }
}

/** Paragraphs, points and cells of a document; never its code. */
function* readDocument(text) {
  let open = null;
  let isCode = false;
  const lines = [...text.split('\n'), ''];
  for (const [index, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const starts = isCode || line.trim() === '' || /^\s*([-*+]|\d+\.|#|\||```|~~~)\s?/.test(line);
    if (starts && open) {
      yield open;
      open = null;
    }
    if (isCode || /^\s*(```|~~~)/.test(line) || line.trim() === '') continue;
    if (/^\s*\|/.test(line)) {
      const kind = /^\s*\|[\s:|-]+$/.test(lines[index + 1] ?? '') ? 'heading' : 'document';
      for (const cell of line.split('|')) if (cell.trim()) yield { line: index + 1, text: cell.trim(), kind };
      continue;
    }
    const words = line.replace(/^\s*([-*+]|\d+\.|#+|>)\s+/, '').trim();
    if (open) open.text += `\n${words}`;
    else open = { line: index + 1, text: words, kind: line.startsWith('#') ? 'heading' : 'document' };
  }
}

function* readDescriptions(text) {
  for (const [index, line] of text.split('\n').entries()) {
    const described = /^\s*"(?:description|summary)": (".*"),?$/.exec(line);
    if (described) yield { line: index + 1, text: JSON.parse(described[1]), kind: 'description' };
  }
}

/** Code counts as one word, and a link as its text. A list inside a text is as many sentences as it has points. */
function splitSentences(text) {
  return text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, 'LINK')
    .split(/\n\s*(?:[-*]|\d+\.)\s+|\n\s*\n/)
    .flatMap((part) => part.replace(/\s+/g, ' ').split(/(?<=[.!?][)"”*]*)\s+(?=[^a-z])|(?<=:)\s+(?=[A-Z])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
