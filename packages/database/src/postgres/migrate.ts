/**
 * Applies `prisma/migrations` like `prisma migrate deploy`: with the same table, checksums and advisory lock. So
 * `prisma migrate status` and `deploy` agree with the result. It does not need Prisma's native engine and starts much
 * faster. Several processes may run it at once; a second run applies nothing.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlsOfServers } from '@kurir/config';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.js';
import { keepAppRole } from './app-role.js';
import type { Pooler } from './connect.js';
import { connectToPrimary, isDatabaseMissing } from './connections/connect-to-primary.js';
import { keepRoleSettings, sharesServers } from './pooler.js';

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

/** Another process has just created it. */
const alreadyThere: ReadonlySet<string | undefined> = new Set(['42P04', '23505']);

async function createDatabaseIfMissing(url: string): Promise<void> {
  try {
    await (await connectToPrimary(url)).end();
  } catch (error) {
    if (!isDatabaseMissing(error)) throw error;
    const client = await connectToPrimary(url, 'postgres');
    try {
      const [first = ''] = urlsOfServers(url);
      const name = decodeURIComponent(new URL(first).pathname.slice(1));
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    } catch (cause) {
      if (!(cause instanceof pg.DatabaseError) || !alreadyThere.has(cause.code)) throw cause;
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

type Compared = {
  readonly missing: readonly Migration[];
  /** Migrations that a later version has applied. */
  readonly newer: readonly string[];
};

/** Throws if a migration failed earlier, or was changed after it was applied. */
async function compareMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Compared> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
  );
  const done = new Map(rows.map((row) => [row.migration_name, row]));
  for (const { name, checksum } of migrations) {
    const before = done.get(name);
    if (before === undefined) continue;
    if (before.finished_at === null)
      throw new Error(`migration ${name} failed earlier; mend it and mark it with prisma migrate resolve`);
    if (before.checksum !== checksum)
      throw new Error(`migration ${name} was changed after it was applied; restore it and add a new one`);
  }
  const known = new Set(migrations.map(({ name }) => name));
  return {
    missing: migrations.filter(({ name }) => !done.has(name)),
    newer: [...done.keys()].filter((name) => !known.has(name)),
  };
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const { missing } = await compareMigrations(client, migrations);
  for (const migration of missing) await applyMigration(client, migration);
  return missing.map(({ name }) => name);
}

export type MigrationState = { readonly missing: readonly string[]; readonly newer: readonly string[] };

/** Compares the database with this version, and changes nothing. A database without any migration lacks all. */
export async function checkMigrations(url: string, directory: string): Promise<MigrationState> {
  const migrations = readMigrations(directory);
  const client = await connectToPrimary(url);
  try {
    const { rows } = await client.query<{ table: string | null }>(
      `SELECT to_regclass('_prisma_migrations')::text AS table`,
    );
    if (rows[0]?.table === null) return { missing: migrations.map(({ name }) => name), newer: [] };
    const { missing, newer } = await compareMigrations(client, migrations);
    return { missing: missing.map(({ name }) => name), newer };
  } finally {
    await client.end();
  }
}

export class PoolerInFront extends Error {
  override readonly name = 'PoolerInFront';

  constructor() {
    super(
      'DATABASE_URL leads through a pooler in transaction mode. A migration needs a connection of its own: name Postgres itself.',
    );
  }
}

/** One migrator at a time must hold the lock of its session. */
async function refuseSharedServers(url: string, client: pg.Client): Promise<void> {
  const other = await connectToPrimary(url);
  try {
    if (await sharesServers(client, other)) throw new PoolerInFront();
  } finally {
    await other.end();
  }
}

export type MigrateOptions = {
  /** The DATABASE_URL of api and worker. Its user gets their rights. */
  readonly appUrl?: string | undefined;
  /** How api and worker reach Postgres. Default none. */
  readonly pooler?: Pooler;
};

/** Creates the database if it is missing and applies new migrations. Returns their names. */
export async function migrate(
  url: string,
  directory: string,
  { appUrl, pooler = 'none' }: MigrateOptions = {},
): Promise<string[]> {
  await createDatabaseIfMissing(url);
  const client = await connectToPrimary(url);
  try {
    await refuseSharedServers(url, client);
    // The user may have the settings of a role behind a pooler.
    await client.query('SET lock_timeout = 0; SET enable_seqscan = on; SET idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrate]);
    await client.query(prismaTable);
    const applied = await applyMissing(client, readMigrations(directory));
    if (appUrl !== undefined) await keepAppRole(client, appUrl);
    if (pooler !== 'none') await keepRoleSettings(appUrl ?? url);
    return applied;
  } finally {
    // Closing the connection also releases the lock.
    await client.end();
  }
}
