import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, dropDatabase } from '@kurir/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMigrations, migrate } from './migrate.js';

const adminUrl = process.env['KURIR_TEST_ADMIN_URL'] ?? '';
const ours = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

let url: string;
let folder: string;

beforeEach(() => {
  const fresh = new URL(adminUrl);
  fresh.pathname = `/kurir_test_migrate_${randomBytes(6).toString('hex')}`;
  url = fresh.href;
  folder = mkdtempSync(join(tmpdir(), 'kurir-migrations-'));
  addMigration('1_first', 'CREATE TABLE things (id int);');
});
afterEach(async () => {
  await dropDatabase(adminUrl, url);
  rmSync(folder, { recursive: true });
});

function addMigration(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function query(text: string, at = url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const applied = () => query('SELECT * FROM _prisma_migrations ORDER BY started_at');

describe('migrating', () => {
  test('makes the database, applies all migrations in order and writes the rows of Prisma', async () => {
    addMigration('2_second', 'ALTER TABLE things ADD name text;');
    writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
    expect(await migrate(url, folder)).toEqual(['1_first', '2_second']);
    const sql = readFileSync(join(folder, '1_first', 'migration.sql'));
    expect(await applied()).toMatchObject([
      {
        migration_name: '1_first',
        checksum: createHash('sha256').update(sql).digest('hex'),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      },
      { migration_name: '2_second' },
    ]);
  });

  test('a second time applies nothing, and a new migration is applied alone', async () => {
    await migrate(url, folder);
    expect(await migrate(url, folder)).toEqual([]);
    addMigration('2_second', 'ALTER TABLE things ADD name text;');
    expect(await migrate(url, folder)).toEqual(['2_second']);
  });

  test('three times at once, on a missing database, applies each migration once', async () => {
    addMigration('2_second', 'ALTER TABLE things ADD name text;');
    const runs = await Promise.all([migrate(url, folder), migrate(url, folder), migrate(url, folder)]);
    expect(runs.flat().toSorted()).toEqual(['1_first', '2_second']);
    expect(await applied()).toHaveLength(2);
  });

  test('with the real migrations makes the same database as the template', async () => {
    const names = readdirSync(ours, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(await migrate(url, ours)).toHaveLength(names.length);
    const columns = `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
                     WHERE table_schema = 'public' ORDER BY 1, 2`;
    const template = await createTestDatabase();
    try {
      expect(await query(columns)).toEqual(await query(columns, template.url));
    } finally {
      await template.drop();
    }
  });
});

describe('a migration that fails', () => {
  beforeEach(async () => {
    await migrate(url, folder);
    addMigration('2_broken', 'CREATE TABLE half (id int); ALTER TABLE nowhere ADD name text;');
    addMigration('3_never', 'CREATE TABLE never (id int);');
  });

  test('is named with its cause, changes nothing and stops those after it', async () => {
    await expect(migrate(url, folder)).rejects.toMatchObject({
      message: expect.stringContaining('2_broken'),
      cause: expect.objectContaining({ message: expect.stringContaining('nowhere') }),
    });
    expect(await query(`SELECT tablename FROM pg_tables WHERE tablename IN ('half', 'never')`)).toEqual([]);
  });

  test('blocks all later ones until a person has looked', async () => {
    await migrate(url, folder).catch(() => undefined);
    addMigration('2_broken', 'SELECT 1;');
    await expect(migrate(url, folder)).rejects.toThrow('2_broken failed earlier');
    expect(await applied()).toMatchObject([
      { migration_name: '1_first' },
      { migration_name: '2_broken', finished_at: null, logs: expect.stringContaining('nowhere') },
    ]);
  });

  test('is tried again after it was marked as rolled back', async () => {
    await migrate(url, folder).catch(() => undefined);
    addMigration('2_broken', 'SELECT 1;');
    await query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_broken'`);
    expect(await migrate(url, folder)).toEqual(['2_broken', '3_never']);
  });
});

test('a migration that was changed after it was applied is refused by name', async () => {
  await migrate(url, folder);
  addMigration('1_first', 'CREATE TABLE things (id int, name text);');
  addMigration('2_second', 'CREATE TABLE more (id int);');
  await expect(migrate(url, folder)).rejects.toThrow('1_first was changed after it was applied');
  expect(await applied()).toHaveLength(1);
});

describe('a check', () => {
  test('names what is missing and what a later version has applied, and changes nothing', async () => {
    await migrate(url, folder);
    expect(await checkMigrations(url, folder)).toEqual({ missing: [], newer: [] });
    addMigration('2_second', 'ALTER TABLE things ADD name text;');
    expect(await checkMigrations(url, folder)).toEqual({ missing: ['2_second'], newer: [] });
    expect(await applied()).toHaveLength(1);
    await migrate(url, folder);
    rmSync(join(folder, '2_second'), { recursive: true });
    expect(await checkMigrations(url, folder)).toEqual({ missing: [], newer: ['2_second'] });
  });
});

describe('the command', () => {
  const command = fileURLToPath(new URL('../../dist/postgres/migrate-main.js', import.meta.url));
  const run = (settings: Record<string, string>, ...args: string[]) =>
    promisify(execFile)(process.execPath, [command, ...args], { env: settings });

  test('prints what it applied, and that there was nothing to do', async () => {
    expect((await run({ DATABASE_URL: url })).stdout).toMatch(/^Applied: \d+_/);
    expect((await run({ DATABASE_URL: url })).stdout).toBe('The database is up to date.\n');
  });

  test('with --check ends with 2 while something is missing', async () => {
    await migrate(url, folder);
    await query('DROP TABLE things; TRUNCATE _prisma_migrations');
    await expect(run({ DATABASE_URL: url }, '--check')).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^Not applied yet: \d+_/),
    });
    await run({ DATABASE_URL: url });
    expect((await run({ DATABASE_URL: url }, '--check')).stdout).toBe('No migration is missing.\n');
    await query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '3_later', now())`,
    );
    expect((await run({ DATABASE_URL: url }, '--check')).stdout).toMatch(/^A later version has applied: 3_later/);
  });

  test('fails with a sentence when there is no database to reach, or no address of one', async () => {
    await expect(run({ DATABASE_URL: 'postgresql://kurir:hunter2@127.0.0.1:1/kurir' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.not.stringContaining('hunter2'),
    });
    await expect(run({})).rejects.toMatchObject({ stderr: expect.stringContaining('DATABASE_URL is missing') });
  });
});
