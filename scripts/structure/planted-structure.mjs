// A small repository that breaks each rule of the structure once. If the check does not find exactly these, it is asleep.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkStructure, LIMITS } from './check-structure.mjs';

const lines = (count) => '\n'.repeat(count);

const FILES = {
  'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
  'packages/a/package.json': JSON.stringify({ name: '@p/a', exports: { '.': { default: './dist/index.js' } } }),
  'packages/b/package.json': JSON.stringify({ name: '@p/b', exports: { '.': { default: './dist/index.js' } } }),
  // An import that is only a type closes this circle of files, and of folders with it.
  'packages/a/src/top/one.ts': `import type { Two } from '../ground/two.js'; export type One = Two;`,
  'packages/a/src/ground/two.ts': `import type { One } from '../top/one.js'; export type Two = One;`,
  // These two folders import each other, though no two files do.
  'packages/b/src/left/a.ts': `export { d } from '../right/d.js';`,
  'packages/b/src/left/b.ts': `export const b = 1;`,
  'packages/b/src/right/c.ts': `export { b } from '../left/b.js';`,
  'packages/b/src/right/d.ts': `export const d = 1;`,
  'scripts/one/a.mjs': `import { b } from '../two/b.mjs'; export const a = b;`,
  'scripts/two/b.mjs': `export const b = 1;`,
  'scripts/two/c.mjs': `export { a } from '../one/a.mjs';`,
  'packages/b/src/index.ts': `export { b } from './left/b.js';`,
  'packages/a/src/long/long-function.ts': `export function long() {${lines(LIMITS.functionLines)}}`,
  'packages/a/src/long/short-function.ts': `export function short() {${lines(LIMITS.functionLines - 1)}}`,
  'packages/a/src/long/long-file.ts': lines(LIMITS.fileLines + 1),
  'packages/a/src/long/long.test.ts': lines(LIMITS.testLines + 1),
  'packages/a/src/long/fair.test.ts': lines(LIMITS.testLines),
  'apps/dashboard/src/long/texts.ts': lines(LIMITS.fileLines + 1),
  ...Object.fromEntries(
    Array.from({ length: LIMITS.folderFiles + 1 }, (_, i) => [
      `packages/a/src/crowd/f${i}.ts`,
      `export const n = ${i};`,
    ]),
  ),
  'packages/a/src/crowd/f1.test.ts': `export {};`,
};

const EXPECTED = [
  ['packages/a/src/ground/two.ts', 'file-cycle'],
  ['packages/a/src/ground', 'folder-cycle'],
  ['packages/b/src/left', 'folder-cycle'],
  ['scripts/one', 'folder-cycle'],
  ['packages/a/src/crowd', 'crowded-folder'],
  ['packages/a/src/long/long-function.ts:1', 'long-function'],
  ['packages/a/src/long/long-file.ts', 'long-file'],
  ['packages/a/src/long/long.test.ts', 'long-file'],
];

/** Complaints about the check; empty if it finds all that is planted and nothing else. */
export function checkPlantedStructure() {
  const root = mkdtempSync(join(tmpdir(), 'kurir-planted-'));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const found = new Set(checkStructure(root).problems.map(({ path, rule }) => `${path} ${rule}`));
    const expected = new Set(EXPECTED.map(([path, rule]) => `${path} ${rule}`));
    return [
      ...[...expected].filter((one) => !found.has(one)).map((one) => `the check of the structure does not see: ${one}`),
      ...[...found]
        .filter((one) => !expected.has(one))
        .map((one) => `the check of the structure complains about: ${one}`),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}
