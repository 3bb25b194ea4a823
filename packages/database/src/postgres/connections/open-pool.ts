/**
 * A pool of connections to the primary. A read-only server counts as away, and no pool keeps a connection to it, except
 * the pool of the read replica.
 */
import { callbackify } from 'node:util';
import pg from 'pg';
import type { Servers } from './servers.js';
import { isUnavailable, ReadOnlyDatabase } from './unavailable.js';

export type PoolOptions = {
  readonly servers: Servers;
  readonly max: number;
  /** A statement that makes the settings of a new connection. Empty: the role has them. */
  readonly settings: string;
  /** Without names, each run of a statement is planned. A pooler in transaction mode may not know the names. */
  readonly namedStatements: boolean;
  /** The server is a standby. All other pools refuse one. */
  readonly isStandby?: boolean;
  readonly application?: string | undefined;
  readonly onError?: ((error: Error) => void) | undefined;
};

/** bigint columns (sequence numbers, epochs) become JavaScript BigInts. pg parses all other types. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

/** Far more than any of our statements needs. A connection that takes longer is closed. */
export const queryTimeoutMs = 10_000;

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

type Shown = { readonly transaction_read_only: string };

/**
 * Makes the settings of a new connection. After a failover the old primary may answer as a standby. No pool keeps a
 * connection to it, so each query looks again, and the pool works as soon as an address leads to a primary.
 */
async function makeSettings(client: pg.ClientBase, settings: string, isStandby: boolean): Promise<void> {
  const results = await client.query<Shown>(`${settings}SHOW transaction_read_only`);
  // pg returns one result for each statement; its types know only one.
  const shown = ([results].flat() as pg.QueryResult<Shown>[]).at(-1)?.rows[0];
  if (shown?.transaction_read_only === 'on' && !isStandby) throw new ReadOnlyDatabase();
}

const withoutName = (asked: unknown) =>
  typeof asked === 'object' && asked !== null && 'name' in asked ? { ...asked, name: undefined } : asked;

type ClientConfig = pg.ClientConfig & Pick<PoolOptions, 'servers' | 'namedStatements'>;

type Connected = (error: Error | null) => void;

/** Connects to the server that is in use when it is made. */
class ServerClient extends pg.Client {
  readonly #servers: Servers;
  readonly #url: string;
  readonly #namedStatements: boolean;

  constructor({ servers, namedStatements, ...config }: ClientConfig) {
    const { url } = servers;
    super({ ...config, connectionString: url });
    this.#servers = servers;
    this.#url = url;
    this.#namedStatements = namedStatements;
  }

  leaveServer(): void {
    this.#servers.leave(this.#url);
  }

  override connect(): Promise<pg.Client>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<pg.Client> | void {
    // Only pools make such clients, and a pool passes a callback.
    if (done === undefined) return super.connect();
    super.connect((error: Error | null) => {
      if (isUnavailable(error)) this.leaveServer();
      done(error);
    });
  }

  // It has the parameters and the results of all overloads.
  override query(...asked: never[]): never {
    const [first, ...more] = asked as unknown[];
    const send = super.query as (...passedOn: unknown[]) => never;
    return send.call(this, this.#namedStatements ? first : withoutName(first), ...more);
  }
}

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

/** Tries each server once for a connection. */
class ServersPool extends pg.Pool {
  /** Not `#servers`: tests replace one method of a pool by an object whose prototype is the pool. */
  private readonly servers: Servers;

  constructor(config: pg.PoolConfig & ClientConfig) {
    // The pool gives a client its own options.
    super({ ...config, Client: ServerClient as unknown as new () => pg.ClientBase });
    this.servers = config.servers;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(done: Taken): void;
  override connect(done?: Taken): Promise<pg.PoolClient> | void {
    if (this.servers.count === 1) return done === undefined ? super.connect() : super.connect(done);
    if (done === undefined) return this.#tryServers();
    const none = () => {};
    callbackify(() => this.#tryServers())((error, client) =>
      error === null ? done(undefined, client, client.release) : done(error, undefined, none),
    );
  }

  async #tryServers(): Promise<pg.PoolClient> {
    for (let more = this.servers.count - 1; ; more--) {
      const { left } = this.servers;
      try {
        return await super.connect();
      } catch (error) {
        // If no server was left, the pool had no free connection.
        if (more === 0 || this.servers.left === left) throw error;
      }
    }
  }
}

export function openPool(options: PoolOptions): pg.Pool {
  const { servers, namedStatements, settings, isStandby = false, onError, application, max } = options;
  const prepare = async (client: pg.ClientBase) => {
    // A connection may break inside a transaction, between two statements. Only this listener hears that; without it, the
    // error would end the process.
    client.on('error', (error) => onError?.(error));
    await makeSettings(client, settings, isStandby).catch((error: unknown) => {
      if (isUnavailable(error) && client instanceof ServerClient) client.leaveServer();
      throw error;
    });
  };
  const pool = new ServersPool({
    servers,
    namedStatements,
    fallback_application_name: application,
    max,
    ...patience,
    types,
    verify: callbackify(prepare),
  });
  pool.on('error', (error) => onError?.(error));
  return pool;
}
