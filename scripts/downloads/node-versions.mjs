// Gets a Node of another major version from its npm package. `node scripts/downloads/node-versions.mjs 22` prints its
// path.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchPackage, NoSuchPackage } from './npm-package.mjs';
import { defaultStateDir } from '../local/paths.mjs';

/** Exact versions, so that everybody runs the same. The Dockerfile ships this 22. */
export const NODE_VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };

/**
 * Returns `{name, version}` of the package that contains this Node. The `node` package would need its install script.
 */
export function nodePackage(major, { platform = process.platform, arch = process.arch } = {}) {
  const version = NODE_VERSIONS[major];
  if (version === undefined)
    throw new Error(`There is no Node ${major} here; choose one of ${Object.keys(NODE_VERSIONS).join(', ')}.`);
  return { name: `node-${platform === 'win32' ? 'win' : platform}-${arch}`, version };
}

/**
 * Resolves with the path of a Node of this major version. It is fetched once and kept in `cacheDir`. Rejects with a
 * sentence for people.
 */
export async function findNode(major, { cacheDir = join(defaultStateDir, 'cache') } = {}) {
  const { name, version } = nodePackage(major);
  if (process.versions.node === version) return process.execPath;
  try {
    const folder = await fetchPackage({ name, version, cacheDir });
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch (error) {
    if (!(error instanceof NoSuchPackage)) throw error;
    throw new Error(`npm has no Node ${version} for ${process.platform} on ${process.arch} (package ${name}).`, {
      cause: error,
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await findNode(process.argv[2]));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
