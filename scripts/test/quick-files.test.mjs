import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findQuickFiles } from './quick-files.mjs';

const SERVER = `import { createServer } from 'node:net'; export const open = () => createServer().listen(0);`;

const FILES = {
  'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
  'packages/kit/package.json': JSON.stringify({
    name: '@p/kit',
    exports: { '.': { default: './dist/index.js' }, './pure': './dist/pure.js' },
  }),
  'packages/kit/src/index.ts': `export { open } from './server.js';`,
  'packages/kit/src/server.ts': SERVER,
  'packages/kit/src/pure.ts': `export type { Server } from 'node:http'; export const one = 1;`,
  'packages/testing/src/environment.ts': `export const setting = 'postgresql://';`,
  'packages/kit/src/loop.ts': `import './loop.test.js'; export {};`,
  'packages/kit/src/page.tsx': `import { open } from './server.js'; export const page = <b>{open}</b>;`,
};

const QUICK = {
  'packages/kit/src/pure.test.ts': `import { one } from './pure.js'; import { expect } from 'vitest';`,
  'packages/kit/src/types.test.ts': `import type { open } from './server.js';`,
  'packages/kit/src/loop.test.ts': `import './loop.js';`,
  'packages/other/src/subpath.test.ts': `import { one } from '@p/kit/pure';`,
  'scripts/tool.test.mjs': `import { readFileSync } from 'node:fs'; import './data.json' with { type: 'json' };`,
};

const NOT_QUICK = {
  'packages/kit/src/direct.test.ts': `import http from 'http';`,
  'packages/kit/src/over-two.test.ts': `import { open } from './index.js';`,
  'packages/kit/src/page.test.ts': `import { page } from './page.jsx';`,
  'packages/kit/src/later.test.ts': `await import('node:child_process');`,
  'packages/kit/src/computed.test.ts': `const name = './pure.js'; await import(name);`,
  'packages/testing/src/postgres.test.ts': `import { setting } from './environment.js'; import pg from 'pg';`,
  'packages/other/src/package.test.ts': `import { open } from '@p/kit';`,
};

let root;
afterEach(() => rmSync(root, { recursive: true }));

test('a test is quick if none of its imports opens sockets or starts programs', () => {
  root = mkdtempSync(join(tmpdir(), 'kurir-quick-'));
  const files = { ...FILES, ...QUICK, ...NOT_QUICK, 'scripts/data.json': '{}' };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { quick, all } = findQuickFiles(root);
  expect(quick.toSorted()).toEqual(Object.keys(QUICK).toSorted());
  expect(all).toBe(Object.keys({ ...QUICK, ...NOT_QUICK }).length);
});
