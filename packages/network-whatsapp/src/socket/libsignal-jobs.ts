/**
 * A patch of libsignal 6.0.0, which runs all work on one address through one queue of the whole process. Each job runs
 * in the async context of the job that started the queue. Baileys keeps a device's open transaction in that context. So
 * a job that waited for another device's job would write into a transaction that has ended, and its change of keys
 * would be lost.
 */
import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';

type Job = () => Promise<unknown>;
type Cipher = { queueJob(this: Cipher, job: Job): Promise<unknown> };

let isPatched = false;

/** Makes each job run in the async context of its caller. Later calls do nothing. */
export function keepContextOfJobs(): void {
  if (isPatched) return;
  isPatched = true;
  // The copy of libsignal that Baileys uses.
  const libsignal: unknown = createRequire(createRequire(import.meta.url).resolve('baileys'))('libsignal');
  const { SessionCipher } = libsignal as { SessionCipher: { prototype: Cipher } };
  const { queueJob } = SessionCipher.prototype;
  if (typeof queueJob !== 'function')
    throw new Error('this driver expects libsignal to queue its work, and it does not');
  SessionCipher.prototype.queueJob = function (job) {
    return queueJob.call(this, AsyncResource.bind(job));
  };
}
