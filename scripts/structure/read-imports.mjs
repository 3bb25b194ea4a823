// The imports of the repository as a graph: which source file takes something from which, types included.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readFacts } from '../source/source-facts.mjs';
import { findWorkspaces, isSource, isTest, walk } from '../source/source-files.mjs';

/** Folders with programs that belong to no workspace. */
const OUTSIDE = ['scripts', 'docker', 'examples'];

/**
 * `{files: Map<path, workspace folder>, imports: Map<path, Set<path>>}` of the production files. An import of another
 * workspace points to the file that its package.json exports.
 */
export function readImports(root) {
  const workspaces = findWorkspaces(root);
  const files = new Map();
  const folders = [
    ...workspaces.map(({ folder }) => folder),
    ...OUTSIDE.filter((folder) => existsSync(join(root, folder))),
  ];
  for (const folder of folders)
    for (const { path, isFolder } of walk(root, folder))
      if (!isFolder && isSource(path) && !isTest(path)) files.set(path, folder);

  const imports = new Map();
  for (const path of files.keys()) {
    const { imports: named } = readFacts(path, readFileSync(join(root, path), 'utf8'));
    const targets = named.map(({ specifier }) => specifier && findFile({ specifier, path, files, workspaces }));
    imports.set(path, new Set(targets.filter((target) => target && target !== path)));
  }
  return { files, imports };
}

function findFile({ specifier, path, files, workspaces }) {
  if (specifier.startsWith('.')) return firstOf(files, posix.join(posix.dirname(path), specifier));
  const workspace = workspaces.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  const built = workspace?.manifest.exports?.[`.${specifier.slice(workspace.name.length)}`]?.default;
  if (!built) return undefined;
  return firstOf(files, posix.join(workspace.folder, built.replace(/^\.\/dist\//, 'src/')));
}

function firstOf(files, target) {
  const stem = target.replace(/\.m?js$/, '');
  return [target, `${stem}.ts`, `${stem}.tsx`].find((path) => files.has(path));
}

/** The same graph with folders for files: the rooms of the house and the arrows between them. */
export function readRooms({ files, imports }) {
  const rooms = new Map();
  for (const path of files.keys()) {
    const folder = posix.dirname(path);
    if (!rooms.has(folder)) rooms.set(folder, new Set());
  }
  for (const [path, targets] of imports)
    for (const target of targets)
      if (posix.dirname(target) !== posix.dirname(path)) rooms.get(posix.dirname(path)).add(posix.dirname(target));
  return rooms;
}

/** Groups of nodes that reach each other (Tarjan's strongly connected components), without the single ones. */
export function findCycles(graph) {
  const cycles = [];
  const order = new Map();
  const low = new Map();
  const stack = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
