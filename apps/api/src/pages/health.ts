/** The health checks. Without Redis the api is ready, because it still accepts messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@kurir/contracts';
import { pingDatabase } from '@kurir/database';
import { pingRedis } from '@kurir/queue';
import type { Express } from 'express';
import { answerSuccess } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';

const timeoutMs = 2_000;

async function isUp(ping: () => Promise<void>): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => false);
  const answered = ping().then(
    () => true,
    () => false,
  );
  const up = await Promise.race([answered, late]);
  timeout.abort();
  return up;
}

export function addHealthRoutes(app: Express, { database, queue, instance }: Ground): void {
  addRoute(app, '/health/live', {
    GET: (_req, res) => answerSuccess(res, 'Live', { status: 'live' }),
  });
  addRoute(app, '/health/ready', {
    GET: async (_req, res) => {
      if (instance !== null) res.setHeader('X-Kurir-Instance', instance);
      const [postgres, redis] = await Promise.all([isUp(() => pingDatabase(database)), isUp(() => pingRedis(queue))]);
      if (!postgres)
        throw new ApiError(
          'SERVICE_UNAVAILABLE',
          'The api is not ready, because the database does not answer. Try again shortly.',
          { retryAfterSeconds: 1 },
        );
      answerSuccess(res, 'Ready', { status: 'ready', database: 'up', redis: redis ? 'up' : 'down' });
    },
  });
}
