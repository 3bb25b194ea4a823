/** The health checks. Without Redis the api is ready, because it still accepts messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@kurir/contracts';
import { pingDatabase } from '@kurir/database';
import { readRedisState } from '@kurir/queue';
import type { Express } from 'express';
import { answerSuccess } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';

const timeoutMs = 2_000;

/** Returns `otherwise` if there is no answer in time. */
async function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const timeout = new AbortController();
  const late = sleep(timeoutMs, otherwise, { signal: timeout.signal }).catch(() => otherwise);
  const first = await Promise.race([answer.catch(() => otherwise), late]);
  timeout.abort();
  return first;
}

const notReady = (because: string) =>
  new ApiError('SERVICE_UNAVAILABLE', `The api is not ready, because ${because}. Try again shortly.`, {
    retryAfterSeconds: 1,
  });

export function addHealthRoutes(app: Express, { database, queue, instance, draining }: Ground): void {
  addRoute(app, '/health/live', {
    GET: (_req, res) => answerSuccess(res, 'Live', { status: 'live' }),
  });
  addRoute(app, '/health/ready', {
    GET: async (_req, res) => {
      if (instance !== null) res.setHeader('X-Kurir-Instance', instance);
      const [postgres, redis] = await Promise.all([
        inTime(
          pingDatabase(database).then(() => true),
          false,
        ),
        inTime(readRedisState(queue), 'down'),
      ]);
      if (draining.begun) throw notReady('it stops');
      if (!postgres) throw notReady('the database does not answer, or may only be read');
      answerSuccess(res, 'Ready', { status: 'ready', database: 'up', redis });
    },
  });
}
