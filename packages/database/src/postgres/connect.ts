/**
 * The connections to Postgres: a `pg` pool for the statements of messages, and Prisma for rare actions of people. The
 * hot paths use SQL, because `createMany` costs far more for each row than `unnest`.
 */
import { constants } from 'node:os';
import { callbackify } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.js';

export type Database = {
  /**
   * For statements that run with every message, and for all others of a fixed shape. Each has one plan, which uses an
   * index.
   */
  readonly pool: pg.Pool;
  /** For lists with optional filters. Postgres plans each of them for its values. */
  readonly lists: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Called for a broken connection, perhaps twice. The pool replaces the connection. */
  readonly onError?: (error: Error) => void;
};

/** bigint columns (sequence numbers, epochs) become JavaScript BigInts. pg parses all other types. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

/**
 * Planning a claim costs more than running it. The statements of messages need no plan for each set of values, because
 * all use an index (`plans.test.ts`). That is also true of a plan that was made while the tables were empty.
 */
const onePlan = 'SET plan_cache_mode = force_generic_plan';
/**
 * Our large tables have an index for each statement, so no plan may read a whole one, whatever the statistics say. In
 * Postgres 17, `enable_seqscan = off` adds a huge cost to a plan, and Postgres would compile it in each run. So JIT is off.
 * Postgres ends a transaction that is idle for too long, so that its locks do not block others.
 */
const noJit = 'SET jit = off';
const sessionSettings = `SET enable_seqscan = off; ${noJit}; SET idle_in_transaction_session_timeout = '5s'`;

/** People read lists. Enough connections stay free for messages, whatever the number of readers. */
const mostLists = 3;

/** Far more than any of our statements needs. A connection that takes longer is closed. */
const queryTimeoutMs = 10_000;

/**
 * A connection may become silent after a failover or a network fault. Leases and people must not wait until TCP gives
 * up.
 */
const patience: pg.PoolConfig = {
  connectionTimeoutMillis: 3_000,
  query_timeout: queryTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // Statements of one connection are sent at once, and Postgres runs them in order. Without this, a connection with a
  // statement that timed out would return to the pool inside its transaction.
  pipeline: true,
};

/** Looks like a refused connection, because Prisma passes on only such errors of a connection. */
class ReadOnlyDatabase extends Error {
  override readonly name = 'ReadOnlyDatabase';
  readonly code = 'ECONNREFUSED';
  readonly syscall = 'connect';
  readonly errno = -constants.errno.ECONNREFUSED;

  constructor() {
    super('the database is read-only: it may be a standby');
  }
}

type Shown = { readonly transaction_read_only: string };

/**
 * Makes the settings of a new connection. After a failover the old primary may answer as a standby. No pool keeps a
 * connection to it, so each query looks again, and the pool works as soon as the address leads to a primary.
 */
async function makeSettings(client: pg.ClientBase, settings: string): Promise<void> {
  const results = await client.query<Shown>(`${settings}; SHOW transaction_read_only`);
  // pg returns one result for each statement; its types know only one.
  const shown = (results as unknown as pg.QueryResult<Shown>[]).at(-1)?.rows[0];
  if (shown?.transaction_read_only === 'on') throw new ReadOnlyDatabase();
}

function openPool({ url, onError }: DatabaseOptions, max: number, settings: string): pg.Pool {
  const prepare = async (client: pg.ClientBase) => {
    // A connection may break inside a transaction, between two statements. Only this listener hears that; without it, the
    // error would end the process.
    client.on('error', (error) => onError?.(error));
    await makeSettings(client, settings);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max,
    ...patience,
    types,
    verify: callbackify(prepare),
  });
  pool.on('error', (error) => onError?.(error));
  return pool;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.poolSize, `${sessionSettings}; ${onePlan}`);
  const lists = openPool(options, Math.min(mostLists, options.poolSize), sessionSettings);
  const people = openPool(options, 4, noJit);
  const adapter = new PrismaPg(people);
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: queryTimeoutMs } });
  return {
    pool,
    lists,
    prisma,
    async close() {
      await Promise.all([pool.end(), lists.end(), prisma.$disconnect()]);
      await people.end();
    },
  };
}

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

/**
 * Class 57: shutting down or starting up. Class 53: out of connections or disk. Class 08: connection. 25P03: the
 * transaction was idle for too long, and its connection is closed. 25006: the session may only read.
 */
const unavailableState = /^(57P|53|08|25P03|25006)/;
/** Codes of the system and of Prisma: cannot reach, timed out, connection closed, no free connection, too many connections. */
const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_|P(1001|1002|1008|1017|2024|2037)$)/;
const unreachableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)|Query read timeout$/;

/** The cause that Prisma's adapter names for an error. A raw query has only this, and the code P2010. */
function adapterCause(error: Error): { kind?: string; originalCode?: string } {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: object } } };
  return meta?.driverAdapterError?.cause ?? {};
}

/** Returns true if Postgres could not be reached, or may only be read. Returns false if it refused the statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return unavailableState.test(code);
  const { kind, originalCode = '' } = adapterCause(error);
  return (
    unreachable.test(code) ||
    unavailableState.test(originalCode) ||
    kind === 'DatabaseNotReachable' ||
    unreachableMessage.test(error.message)
  );
}

/** Rejects if Postgres does not answer, or may only be read. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.pool.query('SELECT 1');
}
