/** The bare side of `send`: one BullMQ worker per queue, with the options of Kurir's lanes and an empty job. */
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { answerRequests } from '../processes/answer-requests.js';

/** The program answers when this many more jobs are completed. */
export type ExpectRequest = { readonly jobs: number };
export type Completed = { readonly atMs: number };

const { REDIS_URL = '', BARE_PREFIX = '', BARE_QUEUES = '' } = process.env;
const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
connection.setMaxListeners(0);

let completed = 0;
let expected = 0;
let tellCompleted = (_answer: Completed): void => {};

function count(): void {
  completed++;
  if (completed === expected) tellCompleted({ atMs: Date.now() });
}

function openWorker(queue: number): Worker {
  const worker = new Worker('lane', async () => {}, {
    connection,
    prefix: `{${BARE_PREFIX}:${queue}}`,
    concurrency: 1,
    lockDuration: 8_000,
    stalledInterval: 2_500,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  return worker.on('completed', count);
}

const workers = Array.from({ length: Number(BARE_QUEUES) }, (_, queue) => openWorker(queue));

answerRequests(async ({ jobs }: ExpectRequest) => {
  if (jobs === 0) {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    return { atMs: Date.now() };
  }
  return new Promise<Completed>((resolve) => {
    tellCompleted = resolve;
    expected += jobs;
    if (completed === expected) resolve({ atMs: Date.now() });
  });
});
process.once('SIGTERM', () => process.exit());
