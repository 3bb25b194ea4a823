/** TLS to a real Postgres, with certificates of our own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresServers, type PostgresServer, type PostgresServers, whyNoPostgresServers } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isUnavailable } from './connections/unavailable.js';
import { type Database, openDatabase } from './connect.js';
import { findConnectionFaults } from './pooler.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const why = hasOpenssl ? whyNoPostgresServers : 'openssl is not installed';

let servers: PostgresServers | null = null;
let server: PostgresServer;
let folder: string;
const databases: Database[] = [];
const fileOf = (name: string) => join(folder, name);

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

function makeAuthority(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  openssl(['req', '-x509', '-days', '2', ...key, '-out', `${name}.crt`, ...subject]);
}

/** A certificate that `by` signed, with the alternative name `names`. */
function makeCertificate(name: string, subject: string, by: string, names: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  openssl(['req', '-new', ...key, '-out', `${name}.csr`, '-subj', `/CN=${subject}`]);
  writeFileSync(fileOf('names.cnf'), `subjectAltName=${names}\n`);
  const signer = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', 'names.cnf'];
  openssl(['x509', '-req', '-days', '2', '-in', `${name}.csr`, '-out', `${name}.crt`, ...signer]);
}

async function serve(certificate: string): Promise<void> {
  await server.end('SIGINT');
  for (const end of ['crt', 'key'])
    server.write(`server.${end}`, readFileSync(fileOf(`${certificate}.${end}`), 'utf8'));
  server.write('ca.crt', readFileSync(fileOf('ca.crt'), 'utf8'));
  server.write('pg_hba.conf', 'hostssl postgres guest 127.0.0.1/32 cert\nhost all postgres 127.0.0.1/32 trust\n');
  await server.start(['ssl=on', 'ssl_ca_file=ca.crt']);
}

beforeAll(async () => {
  servers = hasOpenssl ? await openPostgresServers() : null;
  if (servers === null) return console.warn(`tls: skipped: ${why}`);
  folder = mkdtempSync(join(tmpdir(), 'kurir-tls-'));
  for (const name of ['ca', 'other']) makeAuthority(name);
  makeCertificate('here', 'here', 'ca', 'IP:127.0.0.1');
  makeCertificate('elsewhere', 'elsewhere', 'ca', 'DNS:db.example.com');
  makeCertificate('guest', 'guest', 'ca', 'DNS:guest');
  server = await servers.create();
});
beforeEach((ctx) => {
  if (servers === null) ctx.skip(why);
});
afterEach(() => Promise.all(databases.splice(0).map((database) => database.close())));
afterAll(async () => {
  await servers?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function open(parameters: Readonly<Record<string, string>>, user = 'postgres'): Database {
  const url = new URL(server.urlOf('postgres'));
  url.username = user;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const database = openDatabase({ url: url.href, poolSize: 2 });
  databases.push(database);
  return database;
}

const isEncrypted = async ({ pool, prisma }: Database) => {
  const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  return [(await pool.query<{ ssl: boolean }>(text)).rows[0]?.ssl, ...(await prisma.$queryRawUnsafe<object[]>(text))];
};
const encrypted = [true, { ssl: true }];
const ca = () => ({ sslrootcert: fileOf('ca.crt') });

test('the certificate is checked against the file of the CA, and its name, without a warning', async () => {
  await serve('here');
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  try {
    for (const sslmode of ['verify-full', 'verify-ca', 'require', 'prefer'])
      expect(await isEncrypted(open({ sslmode, ...ca() })), sslmode).toEqual(encrypted);
    expect(await isEncrypted(open({ sslmode: 'no-verify' }))).toEqual(encrypted);
    expect((await open({ sslmode: 'disable' }).pool.query('SELECT 1')).rowCount).toBe(1);
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});

test('a certificate of another CA, or without the file of the CA, is refused with a sentence', async () => {
  await serve('here');
  for (const parameters of [{ sslrootcert: fileOf('other.crt') }, {}]) {
    const database = open({ sslmode: 'require', ...parameters });
    expect(await findConnectionFaults(database)).toEqual([
      expect.stringMatching(/^There is no TLS connection to Postgres: .*certificate.* Check sslmode/),
    ]);
    await expect(database.pool.query('SELECT 1')).rejects.toSatisfy(isUnavailable);
    await expect(database.prisma.$queryRaw`SELECT 1`).rejects.toSatisfy(isUnavailable);
  }
});

test('a file that is not there is named', async () => {
  const database = open({ sslmode: 'verify-full', sslrootcert: fileOf('missing.crt') });
  expect(await findConnectionFaults(database)).toEqual([expect.stringContaining('missing.crt')]);
});

test('the name of another server is refused, except with verify-ca', async () => {
  await serve('elsewhere');
  expect(await findConnectionFaults(open({ sslmode: 'verify-full', ...ca() }))).toEqual([
    expect.stringContaining('127.0.0.1'),
  ]);
  expect(await isEncrypted(open({ sslmode: 'verify-ca', ...ca() }))).toEqual(encrypted);
});

test('a client shows its own certificate', async () => {
  await serve('here');
  await server.ask(`CREATE ROLE guest LOGIN`);
  const own = { sslcert: fileOf('guest.crt'), sslkey: fileOf('guest.key') };
  expect(await isEncrypted(open({ sslmode: 'verify-full', ...ca(), ...own }, 'guest'))).toEqual(encrypted);
  const without = open({ sslmode: 'verify-full', ...ca() }, 'guest');
  await expect(without.pool.query('SELECT 1')).rejects.toThrow('certificate');
});

test('a server without TLS is refused with a sentence', async () => {
  await server.end('SIGINT');
  await server.start();
  expect(await findConnectionFaults(open({ sslmode: 'require', ...ca() }))).toEqual([
    expect.stringContaining('The server does not support SSL connections'),
  ]);
});
