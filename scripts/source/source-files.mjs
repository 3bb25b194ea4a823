// The workspaces of this repository and the files in them, read from disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS = new Set(['node_modules', 'dist', 'generated', 'coverage']);
const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** `{folder, name, manifest}` for every workspace that the root's package.json names; `folder` like `packages/queue`. */
export function findWorkspaces(root) {
  const { workspaces = [] } = readManifest(root, '.');
  return workspaces
    .flatMap((pattern) => (pattern.endsWith('/*') ? subfolders(root, pattern.slice(0, -2)) : [pattern]))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readManifest(root, folder);
      return { folder, name: manifest.name, manifest };
    });
}

export const readManifest = (root, folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

function subfolders(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => `${folder}/${entry.name}`);
}

/** Every file and folder of ours below `folder`: `{path, isFolder}` with `/` between the parts. */
export function* walk(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
    if (NOT_OURS.has(entry.name) || entry.name.startsWith('.')) continue;
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory()) yield* walk(root, path);
  }
}

export const isSource = (path) => SOURCE.test(path);

/** A test, or support for tests. Support stands in `test/` directly below a package, the torture, or a folder of scripts. */
export const isTest = (path) =>
  /\.(?:test|spec)\.[cm]?[jt]sx?$|^(?:(?:apps|packages)\/[^/]+|e2e\/torture|scripts\/[^/]+)\/test\//.test(path);
