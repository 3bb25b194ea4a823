/**
 * The connections to Postgres: a `pg` pool for the statements that run per message, and Prisma over the same
 * driver for everything that a person does now and then. Measured: one row through `createMany` costs 15 to 30
 * times a row through `unnest`, so the hot paths are SQL.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.js';

export type Database = {
  /** For the statements that run with every message, and all others of one shape: each has one plan, which goes by an index. */
  readonly pool: pg.Pool;
  /** For lists with filters that may be left out: Postgres plans each for the values that it is asked with. */
  readonly lists: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Told of connections that break, perhaps twice; the pool replaces them. */
  readonly onError?: (error: Error) => void;
};

/** bigint columns (sequence numbers, epochs) are JavaScript BigInts; everything else as pg does it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

/**
 * Planning a claim costs twice its execution, and the statements of messages need no plan of their own for each set of
 * values: all go by an index (plans.test.ts), also when the plan is made while the tables are still empty.
 */
const onePlan = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off';
/**
 * `enable_seqscan = off` adds a huge cost to a plan in Postgres 17. Postgres would compile such a plan at each run, so JIT is
 * off. Postgres ends a transaction that is idle for too long, so that its locks do not block others.
 */
const sessionSettings = `SET jit = off; SET idle_in_transaction_session_timeout = '5s'`;

/** Lists are read by people: however many, they leave the connections of messages alone. */
const mostLists = 3;

/** Far above any statement of ours; the connection of one that takes longer is thrown away. */
const queryTimeoutMs = 10_000;

/** A connection that has gone silent (a failover, a lost network) must not hold up leases, or a person, until TCP gives up. */
const patience: pg.PoolConfig = {
  connectionTimeoutMillis: 3_000,
  query_timeout: queryTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // What is asked at the same time on one connection goes out together and is answered in order. Without it, a connection whose statement
  // took too long would go back to its pool, in the middle of its transaction.
  pipeline: true,
};

function openPool({ url, onError }: DatabaseOptions, max: number, settings: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, ...patience, types });
  pool.on('error', (error) => onError?.(error));
  // A connection that breaks in mid-transaction, between two statements, tells nobody else; unheard it ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => onError?.(error));
    client.query(settings).catch((error: Error) => onError?.(error));
  });
  return pool;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.poolSize, `${sessionSettings}; ${onePlan}`);
  const lists = openPool(options, Math.min(mostLists, options.poolSize), sessionSettings);
  const adapter = new PrismaPg({ ...patience, connectionString: options.url, max: 4 });
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: queryTimeoutMs } });
  return {
    pool,
    lists,
    prisma,
    async close() {
      await Promise.all([pool.end(), lists.end(), prisma.$disconnect()]);
    },
  };
}

const deadlockDetected = '40P01';
const serializationFailure = '40001';

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === deadlockDetected || error.code === serializationFailure);
}

/** Runs `work` on one connection. A statement that was refused leaves it usable; after any other error it is thrown away. */
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
    // A connection that cannot even roll back is thrown away, not returned to the pool.
    await client.query('ROLLBACK').catch((cause: unknown) => {
      broken = new Error('rollback failed', { cause });
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs `work` again when Postgres ended it for a deadlock; it must be safe to run again. */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
  }
}

/** One transaction; run again when Postgres ended it for a deadlock. `work` must be safe to run again. */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return againAfterDeadlock(() => runOnce(pool, work));
}

/** Prisma's own codes for: cannot reach, timed out, connection closed, no free connection, too many connections. */
const prismaUnreachable = /^P(1001|1002|1008|1017|2024|2037)$/;

/** True when Postgres could not be asked at all, as against having refused the statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // Class 57: operator intervention (shutting down, starting up); 53: out of connections or disk; 08: connection;
    // 25P03: the transaction stood still for too long, and its connection is closed.
    return /^(57P|53|08|25P03)/.test(error.code ?? '');
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string'
    ? /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_)/.test(code) || prismaUnreachable.test(code)
    : error instanceof Error &&
        /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)|Query read timeout$/.test(
          error.message,
        );
}
