import { once } from 'node:events';
import type { QueueConnection } from './connect.js';
import { type Client, isCluster } from './open-redis.js';

/** `read_only`: it is a replica. `full`: it has no memory for a write. `down`: it does not answer, or refuses us. */
export type RedisState = 'up' | 'read_only' | 'full' | 'down';

const testKeyMs = 60_000;

/** The servers that take writes: all primaries of a Cluster, or the one Redis. */
const primaries = (client: Client) => (isCluster(client) ? client.nodes('master') : [client]);

/**
 * Writes a key, because a Redis that returns PONG may still refuse to write. In a Cluster the key is on one node, and
 * the others must answer.
 */
export async function readRedisState({ commands, options }: QueueConnection): Promise<RedisState> {
  try {
    await commands.set(`${options.prefix}:health`, '1', 'PX', testKeyMs);
    if (isCluster(commands)) await Promise.all(primaries(commands).map((node) => node.ping()));
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
  const reports = await Promise.all(primaries(connection.commands).map((redis) => redis.info('memory')));
  const policies = new Set(reports.flatMap((report) => /^maxmemory_policy:(\S+)/m.exec(report)?.[1] ?? []));
  policies.delete('noeviction');
  return [...policies].map((policy) => `Redis has maxmemory-policy ${policy}: it may drop jobs. Set it to noeviction.`);
}

/** Bytes. `max` is null without a limit. */
export type RedisMemory = { readonly used: number; readonly max: number | null };

/** The memory of Redis, or of all primaries of a Cluster together. Rejects if Redis does not answer. */
export async function readRedisMemory({ commands }: QueueConnection): Promise<RedisMemory> {
  const reports = await Promise.all(primaries(commands).map((redis) => redis.info('memory')));
  const sum = (name: string) =>
    reports.reduce((total, report) => total + Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(report)?.[1] ?? 0), 0);
  const max = sum('maxmemory');
  return { used: sum('used_memory'), max: max === 0 ? null : max };
}
