import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fromRoot } from './local/paths.mjs';

test.each([[['--help']], [['key', 'create', '--help']]])('%s prints help while nothing runs', (args) => {
  const { DATABASE_URL: _url, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [fromRoot('scripts/admin.mjs'), ...args], {
    env,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: admin')]);
});
