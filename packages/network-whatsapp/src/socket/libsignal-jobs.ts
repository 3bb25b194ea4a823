/**
 * A patch of libsignal 6.0.0. It runs all work on one address through a queue of the whole process, in the async context
 * of whoever came first. Baileys keeps a device's open transaction in that context: a job that waited behind another
 * device's would write into a transaction that has ended, and its change of the keys would be lost.
 */
import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';

type Job = () => Promise<unknown>;
type Cipher = { queueJob(this: Cipher, job: Job): Promise<unknown> };

let isPatched = false;

/** Each job runs in the context of its caller. Once per process. */
export function keepContextOfJobs(): void {
  if (isPatched) return;
  isPatched = true;
  // The copy that Baileys uses.
  const libsignal: unknown = createRequire(createRequire(import.meta.url).resolve('baileys'))('libsignal');
  const { SessionCipher } = libsignal as { SessionCipher: { prototype: Cipher } };
  const { queueJob } = SessionCipher.prototype;
  if (typeof queueJob !== 'function')
    throw new Error('this driver expects libsignal to queue its work, and it does not');
  SessionCipher.prototype.queueJob = function (job) {
    return queueJob.call(this, AsyncResource.bind(job));
  };
}
