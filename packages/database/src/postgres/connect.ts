/**
 * The connections to Postgres: a `pg` pool for the statements of messages, and Prisma for rare actions of people. The
 * hot paths use SQL, because `createMany` costs far more for each row than `unnest`.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.js';
import { openPool, type PoolOptions, queryTimeoutMs } from './connections/open-pool.js';
import { Replica, type ReplicaOptions } from './connections/replica.js';
import { Servers } from './connections/servers.js';
import { isUnavailable, ReadOnlyDatabase } from './connections/unavailable.js';

export type Database = {
  /**
   * For statements that run with every message, and for all others of a fixed shape. Each has one plan, which uses an
   * index.
   */
  readonly pool: pg.Pool;
  /** For lists with optional filters. Postgres plans each of them for its values. */
  readonly lists: pg.Pool;
  /**
   * The same database for reports and exports, which may be some seconds old. Its `lists` read from the replica while
   * that is fresh, and may not write.
   */
  readonly reports: Database;
  readonly prisma: PrismaClient;
  readonly pooler: Pooler;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** It may name several servers. */
  readonly url: string;
  /** For messages. Lists have 3 connections more, and rare actions of people 4. */
  readonly poolSize: number;
  /** Default none. */
  readonly pooler?: Pooler;
  /** The name of the connections in `pg_stat_activity`, unless the URL has one. */
  readonly application?: string;
  /** A standby, for `reports`. */
  readonly replica?: ReplicaOptions & { readonly url: string };
  /** Called for a broken connection, perhaps twice. The pool replaces the connection. */
  readonly onError?: (error: Error) => void;
};

/** `none` is also for a pooler in session mode. Poolers that know named statements: PgBouncer from 1.21. */
export type Pooler = 'none' | 'transaction' | 'transaction-prepared';

/**
 * Planning a claim costs more than running it. The statements of messages need no plan for each set of values, because
 * all use an index (`plans.test.ts`). That is also true of a plan that was made while the tables were empty.
 */
const onePlan = { plan_cache_mode: 'force_generic_plan' };
/**
 * Our large tables have an index for each statement, so no plan may read a whole one, whatever the statistics say. In
 * Postgres 17, `enable_seqscan = off` adds a huge cost to a plan, and Postgres would compile it in each run. So JIT is off.
 * Postgres ends a transaction that is idle for too long, so that its locks do not block others.
 */
const noJit = { jit: 'off' };
/**
 * Behind a pooler in transaction mode, these are the settings of the role, because a connection that sets them itself
 * may set them for others.
 */
export const sessionSettings = { enable_seqscan: 'off', ...noJit, idle_in_transaction_session_timeout: '5s' };

const setAll = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'; `)
    .join('');

type PoolServer = Pick<PoolOptions, 'servers' | 'isStandby'>;

/** People read lists. Enough connections stay free for messages, whatever the number of readers. */
const mostLists = 3;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, pooler = 'none', application, replica, onError } = options;
  const common = { namedStatements: pooler !== 'transaction', application, onError };
  const primary = { servers: new Servers(url) };
  const open = (max: number, settings: Readonly<Record<string, string>>, server: PoolServer = primary) =>
    openPool({ ...common, ...server, max, settings: pooler === 'none' ? setAll(settings) : '' });
  const pool = open(poolSize, { ...sessionSettings, ...onePlan });
  const lists = open(Math.min(mostLists, poolSize), sessionSettings);
  const people = open(4, noJit);
  const adapter = new PrismaPg(people);
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: queryTimeoutMs } });
  const standby =
    replica === undefined
      ? null
      : open(mostLists, sessionSettings, { servers: new Servers(replica.url), isStandby: true });
  const close = async () => {
    await Promise.all([pool.end(), lists.end(), prisma.$disconnect(), standby?.end()]);
    await people.end();
  };
  const parts = { pool, lists, prisma, pooler, close };
  const ofReports = standby === null || replica === undefined ? lists : readingFrom(lists, standby, replica);
  const reports: Database = {
    ...parts,
    lists: ofReports,
    get reports() {
      return reports;
    },
  };
  return { ...parts, reports };
}

/** The pool, but its `query` reads from the standby while that is fresh. */
const readingFrom = (lists: pg.Pool, standby: pg.Pool, options: ReplicaOptions): pg.Pool => {
  const replica = new Replica(lists, standby, options);
  return Object.create(lists, {
    query: { value: (text: string, values?: unknown[]) => replica.query(text, values) },
    connect: { value: lists.connect.bind(lists) },
    // It lacks only the overloads of `query` that no list uses.
  }) as pg.Pool;
};

const deadlockDetected = '40P01';
const serializationFailure = '40001';

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === deadlockDetected || error.code === serializationFailure);
}

/**
 * Runs `work` on one connection. If Postgres refuses a statement, the connection stays in use. After any other error it
 * is closed.
 */
export async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = !(error instanceof pg.DatabaseError) || isUnavailable(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

async function runOnce<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that cannot roll back is closed and does not return to the pool.
    await client.query('ROLLBACK').catch((cause: unknown) => {
      broken = new Error('rollback failed', { cause });
    });
    // The next transaction looks for a primary.
    if (isUnavailable(error)) broken ??= new Error('Postgres is away or may only be read', { cause: error });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs `work` again after a deadlock or a serialization failure, a few times. `work` must be safe to run again. */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
  }
}

/** Runs `work` in one transaction. It runs again after a deadlock, so it must be safe to run again. */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return againAfterDeadlock(() => runOnce(pool, work));
}

/** Rejects if Postgres does not answer, or may only be read. */
export async function pingDatabase({ pool }: Database): Promise<void> {
  // Behind a pooler or after a change of settings, an open connection may lead to a server that may only be read.
  const { rows } = await pool.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyDatabase();
}
