// The lengths of functions and files, in lines. Methods count, classes do not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** `{functions: [{path, line, name, lines}], files: [{path, lines}]}`, the longest first. */
export function measureLengths(root, paths) {
  const functions = [];
  const files = [];
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    files.push({ path, lines: text.split('\n').length - 1 });
    functions.push(...functionsIn(path, text));
  }
  const longestFirst = (a, b) => b.lines - a.lines;
  return { functions: functions.sort(longestFirst), files: files.sort(longestFirst) };
}

function functionsIn(path, text) {
  const found = [];
  const lineAt = (offset) => text.slice(0, offset).split('\n').length;
  const names = new Map();
  const note = (node) => {
    const line = lineAt(node.start);
    found.push({ path, line, name: node.id?.name ?? names.get(node) ?? '', lines: lineAt(node.end) - line + 1 });
  };
  const name = (value, key) => key?.name && value && names.set(value, key.name);
  new Visitor({
    VariableDeclarator: (node) => name(node.init, node.id),
    Property: (node) => name(node.value, node.key),
    MethodDefinition: (node) => name(node.value, node.key),
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(parseSync(path, text).program);
  return found;
}
