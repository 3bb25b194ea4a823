import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '@kurir/database';
import type { Logger } from '@kurir/logging';

const againMs = 500;

type Device = { readonly isConnected: () => boolean; readonly log: Logger };

/**
 * What is known of messages is not forgotten because Postgres is away for a moment: written again until it is taken, while
 * the device is connected. Rejects otherwise. `write` may be carried out twice, and does not throw. `about`: for the log.
 *
 * Thousands of receipts and answers wait here under load: an asynchronous function's frame only for those that are tried again.
 */
export function untilTaken<T>(write: () => Promise<T>, device: Device, about: object): Promise<T> {
  return write().catch((err: unknown) => writeAgain(err, write, device, about));
}

async function writeAgain<T>(first: unknown, write: () => Promise<T>, device: Device, about: object): Promise<T> {
  for (let err = first; ; ) {
    if (!device.isConnected() || !isUnavailable(err)) throw err;
    device.log.warn({ err, ...about }, 'not written, will be tried again');
    await sleep(againMs);
    try {
      return await write();
    } catch (again) {
      err = again;
    }
  }
}
