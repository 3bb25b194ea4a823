/** Looks a job up until it reaches a status. It only reads, so a second run is harmless. */
import type { Job } from '../contract/call-types.js';
import { type Clock, timerMs } from './clock.js';
import { KurirConnectionError, KurirError, KurirWaitError } from './errors.js';

export type WaitUntil = 'sent' | 'delivered' | 'read';

export type WaitOptions = {
  /** The status to wait for. Default `delivered`. */
  readonly until?: WaitUntil | undefined;
  /** Default 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with every new status, including the first. */
  readonly onStatus?: ((job: Job) => void) | undefined;
};

export type LookUp = (jobId: string, options: { signal: AbortSignal }) => Promise<Job>;

const steps: readonly Job['status'][] = ['sent', 'delivered', 'read'] satisfies WaitUntil[];
const ends: readonly Job['status'][] = ['failed', 'expired', 'cancelled', 'unknown'];

const firstIntervalMs = 200;
const maxIntervalMs = 5_000;
/** The last look-up starts at the deadline and may take this long. */
const lastLookMs = 1_000;

export function hasReached(job: Job, until: WaitUntil): boolean {
  return steps.indexOf(job.status) >= steps.indexOf(until);
}

/** Whether an error between two look-ups is an outage. The loop then goes on. */
function isOutage(error: unknown): boolean {
  return error instanceof KurirConnectionError || (error instanceof KurirError && error.status >= 500);
}

/**
 * Resolves with the job when it reaches `until` or ends as `failed`, `expired`, `cancelled` or `unknown`. Check its
 * `status`. Rejects with a KurirWaitError when the time is over. Rejects with the error of the first look-up, if it
 * fails.
 */
export async function waitForJob(lookUp: LookUp, clock: Clock, jobId: string, options: WaitOptions): Promise<Job> {
  const { until = 'delivered', timeoutMs = 60_000, signal, onStatus } = options;
  const deadline = clock.now() + timeoutMs;
  let lastJob: Job | null = null;
  let cause: unknown;
  for (let intervalMs = firstIntervalMs; ; intervalMs = Math.min(intervalMs * 1.5, maxIntervalMs)) {
    const late = AbortSignal.timeout(timerMs(Math.max(deadline - clock.now(), lastLookMs)));
    try {
      const job = await lookUp(jobId, { signal: signal === undefined ? late : AbortSignal.any([late, signal]) });
      if (job.status !== lastJob?.status) onStatus?.(job);
      if (hasReached(job, until) || ends.includes(job.status)) return job;
      lastJob = job;
    } catch (error) {
      signal?.throwIfAborted();
      if (!late.aborted && (lastJob === null || !isOutage(error))) throw error;
      cause = error;
    }
    const leftMs = late.aborted ? 0 : deadline - clock.now();
    if (leftMs <= 0) throw new KurirWaitError({ jobId, until, timeoutMs, lastJob, cause });
    await clock.sleep(Math.min(intervalMs, leftMs), signal);
  }
}
