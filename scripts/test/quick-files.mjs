// Selects the quick test files: those that cannot reach a server, a browser or another program.
//
// A file is not quick if it imports the settings of the test servers, or a module of Node that opens sockets or starts
// programs. Imports through our other files count too. `no-servers.mjs` also watches what libraries do.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readFacts } from '../source/source-facts.mjs';
import { findWorkspaces, isSource, walk } from '../source/source-files.mjs';

const TEST = /\.test\.(?:ts|mjs)$/;
const REACHES_OUT = /^(?:node:)?(?:net|tls|http|https|http2|dgram|child_process|cluster)$/;
const READS_TEST_SETTINGS = 'packages/testing/src/environment.ts';

/** Returns the paths of all quick test files below `root`, and the number of all test files. */
export function findQuickFiles(root) {
  const tests = [...walk(root, '.')].map(({ path }) => path).filter((path) => TEST.test(path));
  const reaches = openGraph(root);
  return { quick: tests.filter((path) => !reaches(path)), all: tests.length };
}

/** Returns a function that says whether a file imports, directly or not, a module that reaches out. */
function openGraph(root) {
  const workspaces = findWorkspaces(root);
  const steps = new Map();

  function stepsFrom(path) {
    const known = steps.get(path);
    if (known) return known;
    const imports = readFacts(path, readFileSync(join(root, path), 'utf8')).imports.filter(({ typeOnly }) => !typeOnly);
    const found = {
      reachesOut: imports.some(({ specifier }) => specifier === null || REACHES_OUT.test(specifier)),
      files: imports.flatMap(({ specifier }) => (specifier === null ? [] : sourceOf(specifier, path))),
    };
    steps.set(path, found);
    return found;
  }

  function sourceOf(specifier, from) {
    if (specifier.startsWith('.')) return existing(root, posix.join(posix.dirname(from), specifier));
    const workspace = workspaces.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
    if (!workspace) return [];
    const entry = workspace.manifest.exports?.[`.${specifier.slice(workspace.name.length)}`];
    const built = typeof entry === 'string' ? entry : entry?.default;
    return built ? existing(root, posix.join(workspace.folder, built.replace(/^\.\/dist\//, 'src/'))) : [];
  }

  return (path) => {
    const seen = new Set([path]);
    for (const next of seen) {
      const { reachesOut, files } = stepsFrom(next);
      if (reachesOut || next === READS_TEST_SETTINGS) return true;
      for (const file of files) seen.add(file);
    }
    return false;
  };
}

/** TypeScript imports a file by the name of its output. */
function existing(root, path) {
  const candidates = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.jsx?$/, '.tsx')];
  const isFile = (candidate) => existsSync(join(root, candidate)) && statSync(join(root, candidate)).isFile();
  const found = candidates.find(isFile);
  return found && isSource(found) ? [found] : [];
}
