import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  hasPgbouncer,
  type Pgbouncer,
  type PgbouncerOptions,
  pgbouncerKnowsNames,
  startPgbouncer,
  waitUntil,
  whyNoPgbouncer,
} from '@kurir/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copies, DatabaseFixture, present, textIn } from '../../test/database-fixture.js';
import { readEndOfLog, readEvents } from '../events/events.js';
import { listMessages } from '../messages/reading/list-messages.js';
import { createOutcomeWriter } from '../messages/report-outcome.js';
import { renewLeases } from '../sessions/leases.js';
import { type Database, openDatabase, pingDatabase, type Pooler } from './connect.js';
import { migrate } from './migrate.js';
import { findConnectionFaults, keepRoleSettings } from './pooler.js';
import { whileAlone } from './chores/while-alone.js';

const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const closers: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  if (!hasPgbouncer) console.warn(`pooler: ${whyNoPgbouncer}`);
});
beforeEach((ctx) => {
  if (!hasPgbouncer) ctx.skip(whyNoPgbouncer);
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function testDatabase(): Promise<string> {
  const made = await createTestDatabase();
  closers.push(() => made.drop());
  return made.url;
}

async function putBefore(url: string, options: PgbouncerOptions = {}): Promise<Pgbouncer> {
  const pgbouncer = await startPgbouncer(url, options);
  closers.push(() => pgbouncer.stop());
  return pgbouncer;
}

function open(url: string, pooler: Pooler, poolSize = 10): Database {
  const database = openDatabase({ url, pooler, poolSize });
  closers.push(() => database.close());
  return database;
}

async function behindPgbouncer(pooler: Pooler = 'transaction'): Promise<DatabaseFixture> {
  const url = await testDatabase();
  await keepRoleSettings(url);
  const pgbouncer = await putBefore(url);
  return new DatabaseFixture(open(pgbouncer.url, pooler), pgbouncer.url);
}

describe('the check of the connections', () => {
  const withoutSetting = [expect.stringContaining('Set KURIR_DATABASE_POOLER=transaction')];

  test('refuses transaction mode without the setting, however many connections the pooler has', async () => {
    const url = await testDatabase();
    for (const config of [['default_pool_size = 1'], [], ['server_round_robin = 1']]) {
      const pgbouncer = await putBefore(url, { config });
      const database = open(pgbouncer.url, 'none', 2);
      expect(await findConnectionFaults(database)).toEqual(withoutSetting);
    }
  });

  test('refuses it while others use the pooler', async () => {
    const pgbouncer = await putBefore(await testDatabase());
    const others = open(pgbouncer.url, 'transaction', 8);
    const over = new AbortController();
    const work = Promise.all(
      copies(8).map(async () => {
        while (!over.signal.aborted) await others.pool.query('SELECT pg_sleep(0.002)');
      }),
    );
    const check = async () => {
      for (let left = 5; left > 0; left--)
        expect(await findConnectionFaults(open(pgbouncer.url, 'none', 2))).toEqual(withoutSetting);
    };
    await Promise.all([check().finally(() => over.abort()), work]);
  });

  test('finds nothing in session mode, or without a pooler', async () => {
    const url = await testDatabase();
    const pgbouncer = await putBefore(url, { mode: 'session' });
    for (const each of [url, pgbouncer.url]) expect(await findConnectionFaults(open(each, 'none', 2))).toEqual([]);
  });

  test('refuses connections without the settings of the role', async () => {
    const url = await testDatabase();
    const before = await putBefore(url);
    expect(await findConnectionFaults(open(before.url, 'transaction'))).toEqual([
      expect.stringContaining('enable_seqscan, jit, idle_in_transaction_session_timeout. Run the migrator'),
    ]);
    const direct = open(url, 'none');
    expect(await migrate(url, migrations, { pooler: 'transaction' })).toEqual([]);
    expect(await migrate(url, migrations, { pooler: 'transaction' })).toEqual([]);
    await direct.pool.query('SELECT 1');
    const after = await putBefore(url);
    expect(await findConnectionFaults(open(after.url, 'transaction'))).toEqual([]);
  });

  test('finds out whether the pooler knows named statements', async () => {
    const { url } = await behindPgbouncer();
    const faults = await findConnectionFaults(open(url, 'transaction-prepared'));
    expect(faults).toEqual(pgbouncerKnowsNames ? [] : [expect.stringContaining('does not know named statements')]);
  });
});

test('a migration through a pooler in transaction mode is refused', async () => {
  const pgbouncer = await putBefore(await testDatabase());
  await expect(migrate(pgbouncer.url, migrations)).rejects.toThrow('name Postgres itself');
});

const everything = { status: null, deviceId: null, recipient: null, clientRef: null, limit: 100, cursor: null };

describe.each<Pooler>(pgbouncerKnowsNames ? ['transaction', 'transaction-prepared'] : ['transaction'])(
  'behind a pooler, with %s',
  (pooler) => {
    test('messages are accepted, claimed, sent, listed and told, many at once', async () => {
      const behind = await behindPgbouncer(pooler);
      const { database } = behind;
      expect(await findConnectionFaults(database)).toEqual([]);
      const from = await readEndOfLog(database);
      const tenants = await Promise.all(copies(8).map(() => behind.tenant()));
      const writer = createOutcomeWriter(database);
      const sent = await Promise.all(
        tenants.map(async (tenant) => {
          const accepted = await behind.accept(tenant, copies(10));
          expect(
            await renewLeases(database, { owner: tenant.holder.owner, capacity: 1 }, [tenant.holder]),
          ).toHaveLength(1);
          for (const _ of accepted) {
            const claim = await behind.claim(tenant.holder);
            if (claim.kind !== 'claimed') throw new Error(`not claimed: ${claim.kind}`);
            expect(textIn(claim.message.content)).toBe('Halo');
            expect(await writer.answered(claim.message, tenant.holder.epoch, { kind: 'sent' })).toBe(true);
          }
          const { messages } = await listMessages(database, tenant.accountId, everything);
          return messages.filter(({ status }) => status === 'sent').length;
        }),
      );
      expect(sent).toEqual(copies(8).map(() => 10));
      const { events } = await readEvents(database, [present(tenants[0]).accountId], from, 100);
      expect(events.filter(({ kind }) => kind === 'message.sent')).toHaveLength(10);
      const counted = await Promise.all(copies(20).map(() => database.prisma.account.count()));
      expect(new Set(counted)).toEqual(new Set([8]));
      await pingDatabase(database);
    });

    test('one process at a time does a chore, and the next one follows it', async () => {
      const { database, url } = await behindPgbouncer(pooler);
      const other = open(url, pooler);
      let end = () => {};
      let isBegun = false;
      const first = whileAlone(database, 1, async () => {
        isBegun = true;
        await new Promise<void>((resolve) => (end = resolve));
        return 'done';
      });
      await waitUntil(() => isBegun, { what: 'the chore begins' });
      const tries = await Promise.all(copies(5).map(() => whileAlone(other, 1, () => Promise.resolve('twice'))));
      expect(tries).toEqual([null, null, null, null, null]);
      end();
      expect(await first).toBe('done');
      expect(await whileAlone(other, 1, () => Promise.resolve('next'))).toBe('next');
    });
  },
);
