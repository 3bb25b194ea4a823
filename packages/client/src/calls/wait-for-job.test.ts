import { describe, expect, it, onTestFinished } from 'vitest';
import type { Job } from '../contract/call-types.js';
import { fakeClock } from '../../test/clock-fixture.js';
import { systemClock } from './clock.js';
import { KurirConnectionError, KurirError, KurirWaitError } from './errors.js';
import { waitForJob } from './wait-for-job.js';

const at = '2026-11-21T09:00:00.000Z';

function job(status: Job['status']): Job {
  return {
    jobId: 'msg_1',
    status,
    reason: null,
    networkMessageId: null,
    deviceId: 'dev_1',
    phoneDestination: '6281234567890',
    priority: 'normal',
    category: 'transactional',
    clientRef: null,
    broadcastId: null,
    sendAt: null,
    expiresAt: null,
    createdAt: at,
    waiting: null,
    attempts: 1,
    requestId: 'req_1',
    sentBy: { id: 'kk_test_1', name: null },
    canCancel: false,
    canRetry: false,
    timeline: [{ status, reason: null, at }],
  };
}

/** Returns one step after the other, and then always the last one. */
function looks(...steps: (Job['status'] | Error)[]) {
  let next = 0;
  return async (): Promise<Job> => {
    const step = steps[Math.min(next++, steps.length - 1)];
    if (step instanceof Error) throw step;
    return job(step ?? 'queued');
  };
}

const outage = new KurirConnectionError('gone', { mayHaveArrived: true });
const broken = new KurirError('Something broke.', {
  code: 'INTERNAL_ERROR',
  status: 500,
  requestId: null,
  retryAfterSeconds: null,
});
const unknownJob = new KurirError('No such job.', {
  code: 'JOB_NOT_FOUND',
  status: 404,
  requestId: null,
  retryAfterSeconds: null,
});

describe('waiting', () => {
  it('for delivered continues after sent and ends at delivered', async () => {
    const seen: string[] = [];
    const onStatus = ({ status }: Job) => void seen.push(status);
    const look = looks('queued', 'queued', 'sending', 'sent', 'delivered');
    await expect(waitForJob(look, fakeClock(), 'msg_1', { onStatus })).resolves.toMatchObject({ status: 'delivered' });
    expect(seen).toEqual(['queued', 'sending', 'sent', 'delivered']);
  });

  it('ends when the job is further than the wanted status', async () => {
    await expect(waitForJob(looks('read'), fakeClock(), 'msg_1', { until: 'sent' })).resolves.toMatchObject({
      status: 'read',
    });
  });

  it.each(['failed', 'expired', 'cancelled', 'unknown'] as const)('ends at %s', async (status) => {
    const ended = waitForJob(looks('scheduled', status), fakeClock(), 'msg_1', { until: 'read' });
    await expect(ended).resolves.toMatchObject({ status });
  });

  it('looks at growing intervals, and once more when the time is over', async () => {
    const clock = fakeClock();
    const waited = waitForJob(looks('sent'), clock, 'msg_1', { timeoutMs: 20_000 });
    await expect(waited).rejects.toThrow('msg_1 was not delivered within 20000 ms; it is sent.');
    expect(clock.slept.slice(0, 4)).toEqual([200, 300, 450, 675]);
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(5000);
    expect(clock.slept.reduce((sum, ms) => sum + ms)).toBe(20_000);
  });

  it('rejects with the last job when the time is over', async () => {
    const error = await waitForJob(looks('queued', 'sending', outage), fakeClock(), 'msg_1', {}).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(KurirWaitError);
    expect(error).toMatchObject({ jobId: 'msg_1', lastJob: { status: 'sending' }, cause: outage });
  });

  it('rejects when no look-up is answered, even with a very short timeout', async () => {
    const silent = (_jobId: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Job>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cut off', { cause: signal.reason })));
      });
    const waited = waitForJob(silent, systemClock, 'msg_1', { timeoutMs: 1 });
    // The timer of the signal does not keep the process alive. The socket of a real look-up does.
    const alive = setInterval(() => undefined, 1000);
    onTestFinished(() => clearInterval(alive));
    await expect(waited).rejects.toMatchObject({ name: 'KurirWaitError', lastJob: null });
  });

  it('continues after an outage between two look-ups', async () => {
    const look = looks('queued', outage, broken, 'delivered');
    await expect(waitForJob(look, fakeClock(), 'msg_1', {})).resolves.toMatchObject({ status: 'delivered' });
  });

  it('rejects at once when the first look-up fails or the gateway refuses', async () => {
    await expect(waitForJob(looks(outage), fakeClock(), 'msg_1', {})).rejects.toBe(outage);
    await expect(waitForJob(looks('queued', unknownJob), fakeClock(), 'msg_1', {})).rejects.toBe(unknownJob);
  });

  it('rejects with the reason of an aborted signal', async () => {
    const caller = new AbortController();
    const onStatus = () => caller.abort(new Error('enough'));
    const waited = waitForJob(looks('queued'), fakeClock(), 'msg_1', { signal: caller.signal, onStatus });
    await expect(waited).rejects.toThrow('enough');
  });
});
