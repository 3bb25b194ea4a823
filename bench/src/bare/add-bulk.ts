/** The bare side of `bulk`: calls `addBulk` with a batch of jobs. Each job holds a message like those of our side. */
import { Queue } from 'bullmq';
import { nextMessage } from '../load/prepare-requests.js';
import { answerRequests } from '../processes/answer-requests.js';

export type AddRequest = { readonly seconds: number };
export type Added = { readonly jobs: number; readonly elapsedMs: number };

/** The same number of concurrent calls as our side has connections. */
export const callsAtOnce = 4;
const jobsPerCall = 1_000;

const { REDIS_URL = '', BARE_PREFIX = '' } = process.env;
const queue = new Queue('send', { connection: { url: REDIS_URL }, prefix: BARE_PREFIX });
const jobs = Array.from({ length: jobsPerCall }, () => ({ name: 'send', data: nextMessage('bulk') }));

answerRequests(async ({ seconds }: AddRequest): Promise<Added> => {
  let calls = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const addUntilOver = async () => {
    while (performance.now() < until) {
      await queue.addBulk(jobs);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, addUntilOver));
  return { jobs: calls * jobsPerCall, elapsedMs: performance.now() - startedAt };
});
process.once('SIGTERM', () => process.exit());
