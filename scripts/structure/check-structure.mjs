// The limits of files, folders and functions. `planted-structure.mjs` proves that each rule is awake.
import { posix } from 'node:path';
import { isSource, isTest, walk } from '../source/source-files.mjs';
import { measureLengths } from './find-long.mjs';
import { findCycles, readImports, readRooms } from './read-imports.mjs';

/** A test has more lines than the code that it tests, and is read case by case. */
export const LIMITS = { folderFiles: 15, functionLines: 70, fileLines: 300, testLines: 350 };

/** Lists that a reader looks things up in. Splitting one would help nobody. */
const LISTS = /^apps\/dashboard\/src\/.*\/texts\.ts$/;

/** `{files, rooms, arrows, problems: [{path, rule, message}], functions, lengths}` of the repository at `root`. */
export function checkStructure(root) {
  const graph = readImports(root);
  const rooms = readRooms(graph);
  const sources = [...walk(root, '.')].filter(({ path, isFolder }) => !isFolder && isSource(path));
  const { functions, files } = measureLengths(
    root,
    sources.map(({ path }) => path),
  );
  const problems = [
    ...findCycles(graph.imports).map((cycle) =>
      problemOf(cycle[0], 'file-cycle', `imports in a circle: ${cycle.join(', ')}`),
    ),
    ...findCycles(rooms).map((cycle) =>
      problemOf(cycle[0], 'folder-cycle', `folders import in a circle: ${cycle.join(', ')}`),
    ),
    ...crowdedFolders(sources.map(({ path }) => path)),
    ...functions
      .filter(({ path, lines }) => lines > LIMITS.functionLines && !isTest(path))
      .map(({ path, line, name, lines }) =>
        problemOf(`${path}:${line}`, 'long-function', `${name} has ${lines} lines`),
      ),
    ...files
      .filter(({ path, lines }) => lines > (isTest(path) ? LIMITS.testLines : LIMITS.fileLines) && !LISTS.test(path))
      .map(({ path, lines }) => problemOf(path, 'long-file', `has ${lines} lines`)),
  ];
  const arrows = [...rooms.values()].reduce((sum, targets) => sum + targets.size, 0);
  return {
    files: graph.files.size,
    rooms: rooms.size,
    arrows,
    problems,
    functions: functions.filter(({ path }) => !isTest(path)),
    lengths: files,
  };
}

const problemOf = (path, rule, message) => ({ path, rule, message });

function crowdedFolders(paths) {
  const counts = new Map();
  for (const path of paths.filter((source) => !isTest(source))) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > LIMITS.folderFiles)
    .map(([folder, count]) => problemOf(folder, 'crowded-folder', `has ${count} files; make two rooms of it`));
}
