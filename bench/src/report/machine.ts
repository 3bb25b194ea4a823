/** The machine and the server versions that the figures belong to. */
import { availableParallelism, loadavg } from 'node:os';
import { openDatabase } from '@kurir/database';
import { testRedisUrl } from '@kurir/testing';
import { Redis } from 'ioredis';

export type Machine = {
  readonly node: string;
  readonly postgres: string;
  readonly redis: string;
  readonly cores: number;
  /** The load average of the last minute, before the first measurement. */
  readonly load: number;
};

async function postgresVersion(): Promise<string> {
  const database = openDatabase({ url: process.env['KURIR_TEST_ADMIN_URL'] ?? '', poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await database.close();
  }
}

async function redisVersion(): Promise<string> {
  const redis = new Redis(testRedisUrl());
  try {
    return /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}

export async function describeMachine(): Promise<Machine> {
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  const [postgres, redis] = await Promise.all([postgresVersion(), redisVersion()]);
  return { node: process.versions.node, postgres, redis, cores: availableParallelism(), load };
}

export const formatMachine = ({ node, postgres, redis, cores, load }: Machine): string =>
  `Node ${node}, Postgres ${postgres}, Redis ${redis}, ${cores} cores, load ${load.toFixed(1)} at the start`;
