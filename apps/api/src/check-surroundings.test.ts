import { expect, test } from 'vitest';
import type { Api } from './operations/api.js';
import { checkSurroundings } from './check-surroundings.js';

function surroundings(settingsOff: readonly string[], policy: string, ownsAudit = false) {
  const warnings: string[] = [];
  const warn = (first: unknown, text?: string) => void warnings.push(text ?? String(first));
  const rows = settingsOff.map((name) => ({ name, setting: 'off' }));
  // The check uses only these fields.
  const api = {
    database: {
      pool: {
        query: (sql: string) => Promise.resolve({ rows: sql.includes('audit_log') ? [{ can: ownsAudit }] : rows }),
      },
    },
    queue: { commands: { status: 'ready', info: () => Promise.resolve(`# Memory\r\nmaxmemory_policy:${policy}\r\n`) } },
    logger: { warn },
  } as unknown as Api;
  return { api, warnings };
}

test('in production the start is refused, and the error names all faults', async () => {
  const { api } = surroundings(['fsync', 'synchronous_commit'], 'allkeys-lru');
  await expect(checkSurroundings(api, true)).rejects.toThrow(/fsync[^]*synchronous_commit[^]*allkeys-lru/);
});

test('elsewhere the api logs the faults and starts', async () => {
  const { api, warnings } = surroundings(['fsync'], 'allkeys-lru');
  await checkSurroundings(api, false);
  expect(warnings).toEqual(['not fit for production', 'not fit for production']);
});

test('safe settings are not mentioned', async () => {
  const { api, warnings } = surroundings([], 'noeviction');
  await checkSurroundings(api, true);
  expect(warnings).toEqual([]);
});

test('in production a user that could change the audit log is mentioned', async () => {
  const { api, warnings } = surroundings([], 'noeviction', true);
  await checkSurroundings(api, true);
  expect(warnings).toEqual([expect.stringContaining('KURIR_APP_DATABASE_URL')]);
});

test('elsewhere it is not', async () => {
  const { api, warnings } = surroundings([], 'noeviction', true);
  await checkSurroundings(api, false);
  expect(warnings).toEqual([]);
});
