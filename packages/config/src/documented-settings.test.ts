/** The settings in the commands of docs for operators are settings of Kurir, and its programs start with them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { settingNames } from './settings.js';

const pages = ['docker', 'postgres', 'redis', 'metrics', 'traces'] as const;

const needed = {
  DATABASE_URL: 'postgresql://kurir@127.0.0.1:5432/kurir',
  REDIS_URL: 'redis://127.0.0.1:6379',
  KURIR_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  KURIR_INTERNAL_KEY: Buffer.alloc(32, 2).toString('base64'),
};

/** A value goes to the end of its line, or to a backslash, a command or another setting. */
const assignment = /(?:^|\s)([A-Z][A-Z_]+)=(\S.*?)(?=\s+(?:\\|npm |docker |[A-Z][A-Z_]+=)|$)/gm;

function blocksOf(page: string): [string, Record<string, string>][] {
  const text = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .map((block): [string, Record<string, string>] => [
      block.trim(),
      Object.fromEntries([...block.matchAll(assignment)].map(([, name = '', value = '']) => [name, value])),
    ])
    .filter(([, found]) => Object.keys(found).some((name) => settingNames.some((known) => known === name)));
}

/** Only Compose and the migrator read these. */
const notOurs = ['DATABASE_OWNER_URL', 'KURIR_APP_DATABASE_URL'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-documented-'));
  for (const name of ['redis-ca.pem', 'redis-client.pem', 'redis-client-key.pem', 'ca.crt'])
    writeFileSync(join(folder, name), '-----BEGIN CERTIFICATE-----\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(pages)('docs/%s.md', (page) => {
  const blocks = blocksOf(page);

  test('has commands with settings', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  test.each(blocks)('%s', (_block, found) => {
    const set = Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name, value.replaceAll('/etc/kurir', folder)]),
    );
    const ours = Object.keys(set).filter(
      (name) => /^(KURIR|DATABASE|REDIS|OTEL)_/.test(name) && !notOurs.includes(name),
    );
    expect(ours.filter((name) => !settingNames.some((known) => known === name))).toEqual([]);
    for (const program of ['api', 'worker'] as const)
      expect(() => loadSettings(program, { ...needed, ...set })).not.toThrow();
  });
});
