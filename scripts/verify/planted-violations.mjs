// A small repository in which every rule is broken once, and in which some things only look like it. If the checker
// does not find exactly these, it is asleep (a parser that reads nothing stays green), and `npm run verify` fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkImports } from './import-rules.mjs';

const manifest = (name, dependencies = [], extra = {}) =>
  JSON.stringify({
    name,
    exports: { '.': './dist/index.js' },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1'])),
    ...extra,
  });

const INNOCENT = `
  // import 'bullmq'; enum Fake { A } process.env.X
  import { readFile } from 'node:fs/promises';
  import type { Deep } from './deep/inner.js';
  import { work } from '@p/queue';
  export const text = "import 'pg'; process.env.Y";
  export const environment = { process: 1, env: 2 };
`;

const FILES = {
  'package.json': JSON.stringify({
    name: 'p',
    workspaces: ['packages/*', 'apps/*', 'e2e'],
    devDependencies: { vitest: '1' },
  }),
  'apps/api/package.json': manifest('@p/api', ['@p/queue', '@p/network-fake', 'express', 'bullmq', '@p/database']),
  'apps/worker/package.json': manifest('@p/worker', [
    '@p/queue',
    '@p/network-fake',
    '@p/api',
    '@p/testing',
    '@p/whatsapp-relay',
    'pino',
    'express',
  ]),
  'apps/dashboard/package.json': manifest('@p/dashboard', ['@p/queue'], {
    devDependencies: { react: '1', '@p/contracts': '1' },
  }),
  'packages/client/package.json': manifest('@p/client', ['chalk'], { devDependencies: { '@p/contracts': '1' } }),
  'packages/contracts/package.json': manifest('@p/contracts'),
  'packages/queue/package.json': manifest('@p/queue', ['bullmq', 'ioredis', '@p/api']),
  'packages/database/package.json': manifest('@p/database', ['@prisma/client', 'pg']),
  'packages/config/package.json': manifest('@p/config'),
  'packages/testing/package.json': manifest('@p/testing'),
  'packages/testing/src/index.ts': `export const wait = 1;`,
  'apps/worker/test/fixture.ts': `import { wait } from '@p/testing'; export const fixture = wait;`,
  'apps/worker/src/fixture.test.ts': `import { fixture } from '../test/fixture.js'; export const used = fixture;`,
  'packages/network-fake/package.json': manifest(
    '@p/network-fake',
    ['@p/database', '@p/queue', '@p/config', 'ws', 'pg'],
    { exports: { '.': './dist/index.js', './conformance': './test/conformance.ts' } },
  ),
  'packages/network-fake/test/conformance.ts': `export const cases = [];`,
  'packages/whatsapp-relay/package.json': manifest('@p/whatsapp-relay'),
  'packages/whatsapp-relay/src/index.ts': `export const relay = 1;`,
  'e2e/package.json': manifest('@p/e2e', ['@p/api', 'ioredis']),

  'apps/worker/src/innocent.ts': INNOCENT,
  'apps/worker/src/deep/inner.ts': `import { text } from '../innocent.js'; export type Deep = typeof text;`,
  'apps/worker/src/drives.ts': `export { fake } from '@p/network-fake';`,
  'apps/worker/src/names.ts': `export const drivers = { fake: 'fake' }; export const is = (a: string) => a === 'other';`,
  'apps/worker/src/names.test.ts': `export const is = (a: string) => a === 'fake';`,
  'packages/network-fake/src/names.ts': `export const is = (a: string) => a === 'fake';`,
  'apps/worker/src/tool.test.ts': `import { test } from 'vitest'; process.env['A'] = 'b';`,
  'packages/config/src/read.ts': `export const port = process.env['PORT'];`,
  'packages/client/src/calls.ts': `import { routes } from '@p/contracts'; export const calls = routes;`,
  'packages/contracts/src/index.ts': `export const routes = 1;`,
  'apps/dashboard/src/page.tsx': `import { useState } from 'react'; import { routes } from '@p/contracts'; export const page = <b>{routes}{useState}</b>;`,
  'e2e/send.test.ts': `import Redis from 'ioredis'; import { api } from '@p/api';`,
};

/** path, rule, source. One violation each. */
const VIOLATIONS = [
  ['packages/queue/src/knows-app.ts', 'apps-on-top', `import { api } from '@p/api';`],
  ['apps/worker/src/knows-app.ts', 'apps-on-top', `export const later = () => import('@p/api');`],
  ['apps/api/src/drives.ts', 'api-without-network', `import { fake } from '@p/network-fake';`],
  ['apps/api/src/drives-type.ts', 'api-without-network', `export type Fake = import('@p/network-fake').Fake;`],
  ['apps/dashboard/src/queues.tsx', 'dashboard-over-http', `import { lane } from '@p/queue';`, ['declared']],
  ['apps/dashboard/src/undeclared.tsx', 'declared', `import { z } from 'zod';`],
  ['packages/client/src/not-bundled.ts', 'declared', `import chalk from 'chalk';`],
  ['apps/worker/src/draws.tsx', 'vendor-home', `import { useState } from 'react';`, ['declared']],
  ['packages/network-fake/src/stores.ts', 'driver-alone', `import { save } from '@p/database';`],
  ['packages/network-fake/src/queues.ts', 'driver-alone', `export { lane } from '@p/queue';`],
  ['packages/network-fake/src/reads.test.ts', 'driver-alone', `import { settings } from '@p/config';`],
  ['packages/network-fake/src/sql.ts', 'vendor-home', `import pg from 'pg';`],
  ['apps/api/src/bull.ts', 'vendor-home', `export const queue = await import('bullmq');`],
  ['apps/worker/src/pino.ts', 'vendor-home', `import type { Logger } from 'pino';`],
  ['apps/worker/src/proxies.ts', 'vendor-home', `import { SocksProxyAgent } from 'socks-proxy-agent';`, ['declared']],
  ['apps/worker/src/express.ts', 'vendor-home', `import express = require('express');`],
  ['packages/database/src/undeclared.ts', 'declared', `import { z } from 'zod';`],
  ['packages/database/src/tool.ts', 'declared', `import { test } from 'vitest';`],
  ['apps/worker/src/deep-import.ts', 'front-door', `import { lane } from '@p/queue/dist/lane.js';`],
  [
    'apps/worker/src/sideways.ts',
    'own-folder',
    `import { lane } from '../../../packages/queue/src/lane.js';`,
    ['front-door'],
  ],
  ['apps/worker/src/uses-fixture.ts', 'no-test-support', `import { fixture } from '../test/fixture.js';`],
  ['apps/worker/src/uses-testing.ts', 'no-test-support', `import { wait } from '@p/testing';`],
  ['apps/worker/src/uses-conformance.ts', 'no-test-support', `import { cases } from '@p/network-fake/conformance';`],
  ['apps/worker/src/uses-relay.ts', 'no-test-support', `import { relay } from '@p/whatsapp-relay';`],
  ['apps/worker/src/computed.ts', 'readable-import', `export const load = (name: string) => import(name);`],
  ['apps/worker/src/star.ts', 'no-export-star', `export * from './innocent.js';`],
  ['apps/worker/src/star-as.ts', 'no-export-star', `export * as all from './innocent.js';`],
  ['apps/worker/src/enum.ts', 'no-enum', `export const enum Colour { Red }`],
  ['apps/worker/src/environment.ts', 'environment-home', `export const port = process.env['PORT'];`],
  [
    'apps/worker/src/environment-taken.ts',
    'environment-home',
    `const { env } = process; export const port = env['PORT'];`,
  ],
  ['apps/worker/src/environment-import.ts', 'environment-home', `import { env } from 'node:process'; export { env };`],
  ['apps/worker/src/by-name.ts', 'network-by-name', `export const is = (network: string) => network !== 'fake';`],
  [
    'apps/api/src/case.ts',
    'network-by-name',
    `export function is(a: string) { switch (a) { case 'fake': return 1; } }`,
  ],
  ['apps/worker/src/broken.ts', 'parses', `export const = 3;`],
  ['apps/worker/src/string-utils.ts', 'telling-name', `export {};`],
  ['docs/helpers/read.md', 'telling-name', `#`],
];

/** Complaints about the checker; empty when it finds all that is planted and nothing else. */
export function checkPlanted() {
  const root = mkdtempSync(join(tmpdir(), 'kurir-planted-'));
  try {
    const write = (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    for (const [path, text] of Object.entries(FILES)) write(path, text);
    for (const [path, , text] of VIOLATIONS) write(path, text);
    return compare(checkImports(root));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function compare({ violations }) {
  const key = (path, rule) => `${rule} in ${path.replace(/\/read\.md$/, '')}`;
  const expected = new Set(
    VIOLATIONS.flatMap(([path, rule, , more = []]) => [rule, ...more].map((name) => key(path, name))),
  );
  const found = new Set(violations.map(({ path, rule }) => key(path, rule)));
  return [
    ...[...expected].filter((entry) => !found.has(entry)).map((entry) => `planted and not found: ${entry}`),
    ...[...found].filter((entry) => !expected.has(entry)).map((entry) => `found where nothing is wrong: ${entry}`),
  ];
}
