/** Redis and Postgres of this run. Proxies stand before them and can cut, freeze and tear their connections. */
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '@kurir/database';
import { type Pgbouncer, startPgbouncer, startTcpProxy, type TcpProxy } from '@kurir/testing';
import { Redis } from 'ioredis';
import { emptyDisk, fillDisk } from './fill-disk.js';
import { type RedundantRedis, startRedundantRedis } from './redundant-redis.js';
import { type Command, SupervisedProcess } from './supervised-process.js';

/** scripts/torture.mjs says with this how to start the two servers. */
export type ServerCommands = {
  readonly postgres: {
    readonly command: Command;
    readonly url: string;
    readonly pidFile: string;
    /** Postgres' own file system, which a fault may fill; null if this machine cannot make one. */
    readonly disk: string | null;
    /** Whether PgBouncer in transaction mode stands before it. */
    readonly pooler: boolean;
    /** The folder with all programs of this Postgres, or null if its client programs are not here. */
    readonly programs: string | null;
  };
  readonly redis: {
    readonly command: Command;
    readonly url: string;
    readonly pidFile: string;
    readonly directory: string;
    /** `cluster` and `sentinel`: the gateway uses further servers, and not this one. */
    readonly kind: 'single' | 'cluster' | 'sentinel';
  };
};

export type Servers = {
  readonly postgres: SupervisedProcess;
  readonly redis: SupervisedProcess;
  readonly postgresProxy: TcpProxy;
  readonly redisProxy: TcpProxy;
  /** The Redis of the gateway, if it is not the single one. */
  readonly redundant: RedundantRedis | null;
  /** The settings with which the gateway finds its Redis. */
  readonly redisSettings: Readonly<Record<string, string>>;
  /** Connects the supervisor without the proxy. */
  readonly database: Database;
  /** The address that the gateway uses. */
  readonly databaseUrl: string;
  /** Fills Postgres' file system for a while. Returns false if Postgres has none of its own. */
  fillDisk(forMs: number): Promise<boolean>;
  wipeRedis(): Promise<void>;
  /** Removes the append-only file, so that Redis starts empty. */
  loseAppendFile(): void;
  /** Cuts the append-only file, so that it ends in the middle of a command. */
  cutAppendFile(bytes: number): void;
  stop(): Promise<void>;
};

async function answersPostgres(database: Database): Promise<boolean> {
  await database.pool.query('SELECT 1');
  return true;
}

/** The newest part of the append-only file, or null before the first write. */
function appendFileIn(directory: string): string | null {
  const folder = join(directory, 'appendonlydir');
  if (!existsSync(folder)) return null;
  const parts = readdirSync(folder).filter((name) => name.endsWith('.incr.aof'));
  const newest = parts.sort((a, b) => statSync(join(folder, a)).mtimeMs - statSync(join(folder, b)).mtimeMs).at(-1);
  return newest === undefined ? null : join(folder, newest);
}

function openRedis(url: string): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => 100 });
  redis.on('error', () => {}); // faults kill Redis all the time
  return redis;
}

export async function startServers(commands: ServerCommands, logDirectory: string): Promise<Servers> {
  const database = openDatabase({ url: commands.postgres.url, poolSize: 4 });
  const client = openRedis(commands.redis.url);
  const postgres = new SupervisedProcess({
    name: 'postgres',
    command: () => commands.postgres.command,
    pidFile: commands.postgres.pidFile,
    ready: () => answersPostgres(database),
    logFile: join(logDirectory, 'postgres.log'),
  });
  const redis = new SupervisedProcess({
    name: 'redis',
    command: () => commands.redis.command,
    pidFile: commands.redis.pidFile,
    ready: async () => (await client.ping()) === 'PONG',
    logFile: join(logDirectory, 'redis.log'),
  });
  const pgbouncer: Pgbouncer | null = commands.postgres.pooler ? await startPgbouncer(commands.postgres.url) : null;
  const [postgresProxy, redisProxy] = await Promise.all([
    startTcpProxy(pgbouncer?.url ?? commands.postgres.url),
    startTcpProxy(commands.redis.url),
  ]);
  if (commands.postgres.disk !== null) emptyDisk(commands.postgres.disk);
  postgres.start();
  redis.start();
  await Promise.all([postgres.untilReady(), redis.untilReady()]);
  const { kind } = commands.redis;
  const redundant = kind === 'single' ? null : await startRedundantRedis(kind);
  return {
    postgres,
    redis,
    redundant,
    redisSettings: redundant?.settings ?? { REDIS_URL: redisProxy.url },
    postgresProxy,
    redisProxy,
    database,
    databaseUrl: postgresProxy.url,
    async fillDisk(forMs) {
      const { disk } = commands.postgres;
      if (disk !== null) await fillDisk(disk, forMs);
      return disk !== null;
    },
    wipeRedis: async () => void (await client.flushall()),
    loseAppendFile: () => rmSync(join(commands.redis.directory, 'appendonlydir'), { recursive: true, force: true }),
    cutAppendFile(bytes) {
      const file = appendFileIn(commands.redis.directory);
      if (file !== null) truncateSync(file, Math.max(0, statSync(file).size - bytes));
    },
    async stop() {
      client.disconnect();
      await database.close().catch(() => {}); // Postgres may be away
      await Promise.all([postgresProxy.close(), redisProxy.close()]);
      await pgbouncer?.stop();
      await Promise.all([postgres.stop(), redis.stop(), redundant?.stop()]);
    },
  };
}
