/**
 * Applies `prisma/migrations` like `prisma migrate deploy`: with the same table, checksums and advisory lock. So
 * `prisma migrate status` and `deploy` agree with the result. It does not need Prisma's native engine and starts much
 * faster. Several processes may run it at once; a second run applies nothing.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.js';
import { keepAppRole } from './app-role.js';

const prismaTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

async function createDatabaseIfMissing(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const probe = new pg.Client({ connectionString: url });
  try {
    await probe.connect();
    await probe.end();
  } catch (error) {
    const invalidCatalogName = '3D000';
    if (!(error instanceof pg.DatabaseError) || error.code !== invalidCatalogName) throw error;
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE "${name.replaceAll('"', '""')}"`);
    } catch (cause) {
      // Another process has just created it.
      if (!(cause instanceof pg.DatabaseError) || (cause.code !== '42P04' && cause.code !== '23505')) throw cause;
    } finally {
      await client.end();
    }
  }
}

/** A lock took too long, or two statements waited for each other. */
const lockTrouble: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);
/**
 * A migration that waits for a table blocks all later statements on it, also renewals of leases. So it gives up soon
 * and tries again.
 */
const lockTimeoutMs = 800;
const pauseMs = 2_000;
const mostTries = 100;

/** A script is one transaction, so a try that gave up has changed nothing. */
async function applyPatiently(client: pg.Client, sql: string): Promise<void> {
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  for (let left = mostTries; ; left--) {
    try {
      await client.query(sql);
      return;
    } catch (error) {
      if (left === 1 || !(error instanceof pg.DatabaseError) || !lockTrouble.has(error.code)) throw error;
    }
    await sleep(pauseMs);
  }
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    migration.checksum,
    migration.name,
  ]);
  try {
    await applyPatiently(client, migration.sql);
  } catch (cause) {
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(cause)]);
    throw new Error(`migration ${migration.name} failed; mend it and mark it with prisma migrate resolve`, { cause });
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const done = new Map(rows.map((row) => [row.migration_name, row]));
  const applied: string[] = [];
  for (const migration of migrations) {
    const before = done.get(migration.name);
    if (before === undefined) {
      await applyMigration(client, migration);
      applied.push(migration.name);
    } else if (before.finished_at === null) {
      throw new Error(`migration ${migration.name} failed earlier; mend it and mark it with prisma migrate resolve`);
    } else if (before.checksum !== migration.checksum) {
      throw new Error(`migration ${migration.name} was changed after it was applied; restore it and add a new one`);
    }
  }
  return applied;
}

/**
 * Creates the database if it is missing and applies new migrations. Returns their names. With `appUrl`, its user gets
 * the rights of api and worker.
 */
export async function migrate(url: string, directory: string, appUrl?: string): Promise<string[]> {
  await createDatabaseIfMissing(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET lock_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrate]);
    await client.query(prismaTable);
    const applied = await applyMissing(client, readMigrations(directory));
    if (appUrl !== undefined) await keepAppRole(client, appUrl);
    return applied;
  } finally {
    // Closing the connection also releases the lock.
    await client.end();
  }
}
