/** The processes of Postgres and Redis, if they run on this machine. */
import type { Database } from '@kurir/database';
import { testRedisUrl } from '@kurir/testing';
import { Redis } from 'ioredis';
import { type Clocked, parentOf } from '../readings/cpu-time.js';

const isLocal = (url: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

/** Each connection has a backend process. All backends are children of the process that this returns. */
export async function postgresProcess(database: Database, url: string): Promise<Clocked[]> {
  if (!isLocal(url)) return [];
  const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = parentOf(rows[0]?.pid ?? -1);
  return pid === null ? [] : [{ name: 'postgres', pid, withChildren: true }];
}

export async function redisProcess(): Promise<Clocked[]> {
  const url = testRedisUrl();
  if (!isLocal(url)) return [];
  const redis = new Redis(url);
  try {
    const pid = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1];
    return pid === undefined ? [] : [{ name: 'redis', pid: Number(pid) }];
  } finally {
    redis.disconnect();
  }
}
