import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { keepContextOfJobs } from './libsignal-jobs.js';

test('work that waited for another caller’s work on the same address runs in the context of its own caller', async () => {
  keepContextOfJobs();
  keepContextOfJobs();
  const libsignal = createRequire(createRequire(import.meta.url).resolve('baileys'))('libsignal');
  const address = new libsignal.ProtocolAddress('4915200000007', 0);
  const [one, other] = [new libsignal.SessionCipher({}, address), new libsignal.SessionCipher({}, address)];
  const context = new AsyncLocalStorage<string>();
  let open = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = context.run('one', () => one.queueJob(() => blocked.then(() => context.getStore())));
  const second = context.run('other', () => other.queueJob(async () => context.getStore()));
  open();
  expect(await Promise.all([first, second])).toEqual(['one', 'other']);
});
