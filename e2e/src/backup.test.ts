/** The commands of docs/backup.md, as they stand there, while messages go out. */
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@kurir/database';
import {
  commandsUnder,
  findPostgresPrograms,
  openPostgresServers,
  type PostgresServer,
  type PostgresServers,
  recoveryMoment,
  runCommands,
  waitUntil,
  whyNoPostgresPrograms,
} from '@kurir/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type Customer, runAdmin } from './customers/customer.js';
import { newPhoneNumber, readInbox } from './phones/phone.js';
import { expectAllOnce, sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

const page = 'docs/backup.md';
const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const programs = findPostgresPrograms();

let servers: PostgresServers | null = null;
let stack: Stack | undefined;
afterAll(async () => {
  await stack?.stop();
  await servers?.remove();
});

/** A Postgres with its variables, and a folder for backups that belongs to its user. */
async function createBackedUp(folder: string): Promise<{
  readonly server: PostgresServer;
  paste(commands: readonly string[], more?: Readonly<Record<string, string>>): Promise<string>;
}> {
  servers ??= await openPostgresServers(folder);
  if (servers === null) throw new Error('no Postgres can be started here');
  const server = await servers.create();
  const backup = join(dirname(server.data), 'backup');
  mkdirSync(backup);
  const { uid, gid } = statSync(server.data);
  chownSync(backup, uid, gid);
  const env = {
    PGDATA: server.data,
    BACKUP: backup,
    PGHOST: '127.0.0.1',
    PGPORT: String(server.port),
    PGUSER: 'postgres',
  };
  await server.start();
  return {
    server,
    paste: (commands, more = {}) =>
      runCommands(commands, { programs: folder, ownedLike: server.data, env: { ...env, ...more } }),
  };
}

const only = (heading: string, position = 0): string[] => {
  const command = commandsUnder(page, heading)[position];
  if (command === undefined) throw new Error(`${heading} has no block ${position}`);
  return [command];
};

async function endPrograms({ api, workers }: Stack): Promise<void> {
  await Promise.all([api, ...workers].map((program) => program.stop()));
}

/** Returns the counts, in the order in which the command prints them. */
async function settleRestored(env: Stack['env']): Promise<number[]> {
  // The command prints a list, and `runAdmin` knows only records.
  const rows: unknown = await runAdmin(env, ['service', 'restored']);
  return (rows as { count: number }[]).map(({ count }) => count);
}

const portOf = ({ baseUrl }: Stack) => Number(new URL(baseUrl).port);

/** The first part of the texts has gone out; the rest waits for the pace of the device. */
async function sendSlowly(running: Stack, customer: Customer, phone: string, count: number): Promise<string[]> {
  const jobIds = await sendNumbered(customer, phone, count);
  const what = 'some of them are at the phone';
  await waitUntil(async () => (await readInbox(running, phone)).length >= 3, { what });
  return jobIds;
}

describe.skipIf(programs === null)(`docs/backup.md (${programs === null ? whyNoPostgresPrograms : 'pasted'})`, () => {
  it('returns to a moment in the middle of the traffic', async () => {
    const { server, paste } = await createBackedUp(programs ?? '');
    await paste(only('Keep the log'));
    await server.end('SIGINT');
    await server.start();
    const url = server.urlOf('kurir');
    await migrate(url, migrations);
    const running = await startStack({ env: { DATABASE_URL: url } });
    stack = running;
    const customer = await running.createCustomer({ devices: 1, pacePerMinute: 60 });
    await paste(only('Copy the files'));
    // A second base backup replaces the first.
    await paste(only('Copy the files'));

    const [phone, later] = [newPhoneNumber(), newPhoneNumber()];
    const cursor = (await customer.client.listEvents({ limit: 1 })).nextCursor;
    const before = await sendSlowly(running, customer, phone, 20);
    const moved = { MOMENT: recoveryMoment(Date.now()) };
    const [lost = ''] = await sendNumbered(customer, later, 1, 'otp');
    await waitUntil(async () => (await readInbox(running, later)).length === 1, { what: 'the later text arrived' });

    await expect(runAdmin(running.env, ['service', 'restored'])).rejects.toThrow(/Workers use this database/);
    await endPrograms(running);
    await server.end('SIGINT');
    await paste(only('Return to a moment', 1), moved);
    await server.start();
    await paste(only('Return to a moment', 2));
    const [, sentAgain] = await settleRestored(running.env);
    expect(sentAgain).toBeGreaterThan(5);

    await Promise.all([running.startApi(portOf(running)), running.startWorker()]);
    await expect(customer.client.getMessage(lost)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(customer.client.listEvents({ after: cursor })).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    await expectAllOnce(running, phone, 20);
    const ends = await Promise.all(before.map((id) => customer.client.getMessage(id)));
    expect(ends.filter(({ status }) => !['sent', 'delivered', 'read', 'unknown'].includes(status))).toEqual([]);
    expect(ends.filter(({ status }) => status === 'unknown').length).toBeLessThanOrEqual(1);
  });

  it('restores a dump', async () => {
    const { server, paste } = await createBackedUp(programs ?? '');
    const url = server.urlOf('kurir');
    await migrate(url, migrations);
    await paste(only('A dump', 0));
    await server.ask('DROP DATABASE kurir');
    await paste(only('A dump', 1));
    // Nothing is left to do, so the dump has the migrations, too.
    await migrate(url, migrations);
    const key = { KURIR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
    expect(await settleRestored({ DATABASE_URL: url, ...key })).toEqual([0, 0, 0, 0]);
  });
});
