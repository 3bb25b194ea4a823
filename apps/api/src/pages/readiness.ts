/** Whether the api can use Postgres and Redis now. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pingDatabase } from '@kurir/database';
import { readRedisState, type RedisState } from '@kurir/queue';
import type { Ground } from '../http/ground.js';

const timeoutMs = 2_000;

/** Returns `otherwise` if there is no answer in time. */
async function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const timeout = new AbortController();
  const late = sleep(timeoutMs, otherwise, { signal: timeout.signal }).catch(() => otherwise);
  const first = await Promise.race([answer.catch(() => otherwise), late]);
  timeout.abort();
  return first;
}

/** `isDatabaseUp`: Postgres answers, and may be written. Never rejects. */
export type Readiness = { readonly isDatabaseUp: boolean; readonly redis: RedisState };

export async function readReadiness({ database, queue }: Pick<Ground, 'database' | 'queue'>): Promise<Readiness> {
  const ping = pingDatabase(database).then(() => true);
  const [isDatabaseUp, redis] = await Promise.all([inTime(ping, false), inTime(readRedisState(queue), 'down')]);
  return { isDatabaseUp, redis };
}
