import { once } from 'node:events';
import type { QueueConnection } from './connect.js';

/** Rejects when Redis does not answer. */
export async function pingRedis(connection: QueueConnection): Promise<void> {
  await connection.commands.ping();
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
