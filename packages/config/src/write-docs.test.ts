import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Setting } from './setting.js';
import { settingNames, settings } from './settings.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('docs/configuration.md and .env.example agree with the table', async () => {
  const program = fileURLToPath(new URL('../dist/write-docs.js', import.meta.url));
  await expect(promisify(execFile)(process.execPath, [program, '--check'])).resolves.toMatchObject({ stderr: '' });
});

test('both name every setting', () => {
  for (const path of ['docs/configuration.md', '.env.example']) {
    const text = readFileSync(root + path, 'utf8');
    expect(
      settingNames.filter((name) => !text.includes(name)),
      path,
    ).toEqual([]);
  }
});

test('.env.example has no value for a secret that is a key', () => {
  const example = readFileSync(`${root}.env.example`, 'utf8');
  const keys = settingNames.filter((name) => (settings[name] as Setting).secret && name.endsWith('_KEY'));
  for (const name of keys) expect(example).toMatch(new RegExp(`^(# )?${name}=$`, 'm'));
  expect(keys).toHaveLength(4);
});
