/** Tests the role of api and worker: what it can do, and what it cannot. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { dropDatabase } from '@kurir/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCluster } from '../events/events.js';
import { keepDayPartitions } from '../requests/day-partitions.js';
import { keepMonthPartitions } from '../retention/month-partitions.js';
import { canChangeAudit } from './audit-rights.js';
import { type Database, openDatabase } from './connect.js';
import { findDurabilityFaults } from './durability-settings.js';
import { migrate } from './migrate.js';

const adminUrl = process.env['KURIR_TEST_ADMIN_URL'] ?? '';
const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const name = `kurir_test_role_${randomBytes(6).toString('hex')}`;
const ownerUrl = new URL(adminUrl);
ownerUrl.pathname = `/${name}`;

function appUrl(password = 'it\'s "secret"', user = name): string {
  const url = new URL(ownerUrl);
  url.username = user;
  url.password = encodeURIComponent(password);
  return url.href;
}

async function asOwner(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: ownerUrl.href });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

let app: Database;
beforeAll(async () => {
  await migrate(ownerUrl.href, migrations, { appUrl: appUrl() });
  app = openDatabase({ url: appUrl(), poolSize: 2 });
});
afterAll(async () => {
  await app.close();
  await asOwner(`DROP OWNED BY ${name}`);
  await dropDatabase(adminUrl, ownerUrl.href);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`DROP ROLE ${name}`);
  await admin.end();
});

const permissionDenied = '42501';
const inMonths = (ahead: number) =>
  new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + ahead, 15));

describe('the role of api and worker', () => {
  test('has no power over the server, and owns nothing', async () => {
    const roles = await asOwner(
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = '${name}'`,
    );
    expect(roles.flatMap((role) => Object.values(role))).toEqual([false, false, false, false, false]);
    expect(
      await asOwner(`SELECT relname FROM pg_class JOIN pg_roles r ON r.oid = relowner WHERE rolname = '${name}'`),
    ).toEqual([]);
  });

  test('reads and writes every table, except what only the migrator needs, and only adds to the audit log', async () => {
    const rows = await asOwner(`SELECT c.relname AS table,
        concat_ws(' ', ${['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']
          .map((right) => `CASE WHEN has_table_privilege('${name}', c.oid, '${right}') THEN '${right}' END`)
          .join(', ')}) AS rights
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')`);
    const rights = Object.fromEntries(rows.map((row) => [row['table'], row['rights']]));
    expect(Object.keys(rights).length).toBeGreaterThan(30);
    const { audit_log: audit, _prisma_migrations: hidden, ...others } = rights;
    expect([audit, hidden]).toEqual(['SELECT INSERT', '']);
    expect(new Set(Object.values(others))).toEqual(new Set(['SELECT INSERT UPDATE DELETE']));
  });

  test.each([
    'UPDATE audit_log SET actor = $$x$$',
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'DROP TRIGGER audit_log_append_only ON audit_log',
    'CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'DROP TABLE audit_log',
    'SET session_replication_role = replica',
    'CREATE TABLE mine (id int)',
    'DROP TABLE messages',
    'SELECT * FROM _prisma_migrations',
    `COPY accounts TO PROGRAM 'true'`,
    `SELECT pg_read_file('/etc/passwd')`,
  ])('cannot: %s', async (sql) => {
    await expect(app.pool.query(sql)).rejects.toMatchObject({ code: permissionDenied });
  });

  test('makes and drops the partitions of months', async () => {
    const later = inMonths(4);
    const gone = await keepMonthPartitions(app, 100, later);
    expect(gone.length).toBeGreaterThan(0);
    expect(await keepMonthPartitions(app, 100, later)).toEqual([]);
    const month = later.toISOString().slice(0, 7).replace('-', '_');
    expect(
      await asOwner(`SELECT 1 FROM pg_class WHERE relname IN ('events_${month}', 'message_contents_${month}')`),
    ).toHaveLength(2);
  });

  test('makes and drops the partitions of days', async () => {
    const later = inMonths(1);
    expect((await keepDayPartitions(app, later)).length).toBeGreaterThan(0);
    const day = later.toISOString().slice(0, 10).replaceAll('-', '_');
    expect(await asOwner(`SELECT 1 FROM pg_class WHERE relname = 'api_requests_${day}'`)).toHaveLength(1);
  });

  test.each([
    `SELECT drop_month_partition('audit_log', false)`,
    `SELECT drop_month_partition('events_default', false)`,
    `SELECT drop_month_partition('events_2020_01"; DROP TABLE audit_log; --', false)`,
    `SELECT make_month_partition('audit_log', '2020_01', '1', '2')`,
    `SELECT make_month_partition('events', '2020_01; --', '1', '2')`,
  ])('cannot use the functions for them on anything else: %s', async (sql) => {
    await expect(app.pool.query(sql)).rejects.toThrow('no partition of months');
  });

  test('is the only one but the owner who may call the functions for partitions', async () => {
    const mayCall = (name: string) => `has_function_privilege('public', '${name}', 'EXECUTE')`;
    const [row] = await asOwner(
      `SELECT ${mayCall('drop_month_partition(text, boolean)')} OR ${mayCall('make_month_partition(text, text, text, text)')}
         OR ${mayCall('make_day_partition(date)')} OR ${mayCall('drop_day_partitions(date)')} AS anybody`,
    );
    expect(row).toEqual({ anybody: false });
  });

  test('analyzes tables, which keeps plans good', async () => {
    const client = await app.pool.connect();
    const notices: string[] = [];
    client.on('notice', ({ message = '' }) => notices.push(message));
    await client.query('ANALYZE messages, events, message_contents');
    client.release();
    expect(notices).toEqual([]);
  });

  test('could not change the audit log, and its owner could', async () => {
    expect(await canChangeAudit(app)).toBe(false);
    const owner = openDatabase({ url: ownerUrl.href, poolSize: 1 });
    expect(await canChangeAudit(owner)).toBe(true);
    await owner.close();
  });

  test('may do what a process does at its start', async () => {
    expect(await noteCluster(app)).toBe(false);
    expect(Array.isArray(await findDurabilityFaults(app))).toBe(true);
  });
});

describe('the migrator', () => {
  test('a second time changes nothing, and gives rights to a table that came meanwhile', async () => {
    await asOwner('CREATE TABLE later (id int)');
    await expect(app.pool.query('SELECT * FROM later')).resolves.toMatchObject({ rows: [] });
    await asOwner(`REVOKE ALL ON later FROM ${name}`);
    expect(await migrate(ownerUrl.href, migrations, { appUrl: appUrl() })).toEqual([]);
    await expect(app.pool.query('SELECT * FROM later')).resolves.toMatchObject({ rows: [] });
  });

  test('refuses a superuser for api and worker', async () => {
    const role = `${name}_super`;
    await asOwner(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'x'`);
    try {
      await expect(migrate(ownerUrl.href, migrations, { appUrl: appUrl('x', role) })).rejects.toThrow('is a superuser');
    } finally {
      await asOwner(`DROP ROLE ${role}`);
    }
  });

  test('needs no second user', async () => {
    expect(await migrate(ownerUrl.href, migrations, { appUrl: ownerUrl.href })).toEqual([]);
  });

  test('refuses another database', async () => {
    const elsewhere = new URL(appUrl());
    elsewhere.pathname = new URL(adminUrl).pathname;
    await expect(migrate(ownerUrl.href, migrations, { appUrl: elsewhere.href })).rejects.toThrow('different databases');
  });
});
