/** The health checks. Without Redis the api is ready, because it still accepts messages. */
import { ApiError } from '@kurir/contracts';
import type { Express } from 'express';
import { answerSuccess } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';
import { readReadiness } from './readiness.js';
import { shareReading } from './share-reading.js';

/** Anybody may ask, and each reading asks Postgres and writes to Redis. */
const goodMs = 250;

const notReady = (because: string) =>
  new ApiError('SERVICE_UNAVAILABLE', `The api is not ready, because ${because}. Try again shortly.`, {
    retryAfterSeconds: 1,
  });

export function addHealthRoutes(app: Express, ground: Ground): void {
  const readiness = shareReading(() => readReadiness(ground), goodMs);
  addRoute(app, '/health/live', {
    GET: (_req, res) => answerSuccess(res, 'Live', { status: 'live' }),
  });
  addRoute(app, '/health/ready', {
    GET: async (_req, res) => {
      if (ground.instance !== null) res.setHeader('X-Kurir-Instance', ground.instance);
      const { isDatabaseUp, redis } = await readiness();
      if (ground.draining.begun) throw notReady('it stops');
      if (!isDatabaseUp) throw notReady('the database does not answer, or may only be read');
      answerSuccess(res, 'Ready', { status: 'ready', database: 'up', redis });
    },
  });
}
