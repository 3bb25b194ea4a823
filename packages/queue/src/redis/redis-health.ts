import { once } from 'node:events';
import type { QueueConnection } from './connect.js';

/** `read_only`: it is a replica. `full`: it has no memory for a write. `down`: it does not answer, or refuses us. */
export type RedisState = 'up' | 'read_only' | 'full' | 'down';

const testKeyMs = 60_000;

/** Writes a key, because a Redis that returns PONG may still refuse to write. */
export async function readRedisState({ commands, options }: QueueConnection): Promise<RedisState> {
  try {
    await commands.set(`${options.prefix}:health`, '1', 'PX', testKeyMs);
    return 'up';
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (message.startsWith('READONLY')) return 'read_only';
    return message.startsWith('OOM') ? 'full' : 'down';
  }
}

/** Waits a moment for a connection that is being made. Rejects if Redis is away. */
async function whenReady(connection: QueueConnection, waitMs: number): Promise<void> {
  if (connection.commands.status !== 'ready')
    await once(connection.commands, 'ready', { signal: AbortSignal.timeout(waitMs) });
}

/**
 * Returns the settings of Redis with which BullMQ may lose jobs. Empty if all is well. Rejects if Redis does not
 * answer.
 */
export async function findRedisFaults(connection: QueueConnection): Promise<string[]> {
  await whenReady(connection, 3_000);
  const memory = await connection.commands.info('memory');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  return policy === undefined || policy === 'noeviction'
    ? []
    : [`Redis has maxmemory-policy ${policy}: it may drop jobs. Set it to noeviction.`];
}

const modes: Record<string, string> = {
  cluster: 'REDIS_URL leads to a node of a Redis Cluster, which Kurir cannot use yet. Give it a single Redis.',
  sentinel: 'REDIS_URL leads to a Redis Sentinel, which holds no data. Give it the Redis that Sentinel watches.',
};

/** Returns why Kurir cannot use this Redis at all. Empty if it can. Rejects if Redis does not answer. */
export async function findWrongRedis(connection: QueueConnection): Promise<string[]> {
  await whenReady(connection, 3_000);
  const mode = /^redis_mode:(\S+)/m.exec(await connection.commands.info('server'))?.[1] ?? '';
  const fault = modes[mode];
  return fault === undefined ? [] : [fault];
}
