import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '@kurir/database';
import type { Logger } from '@kurir/logging';

const againMs = 500;

/**
 * What is known of messages is not forgotten because Postgres is away for a moment: written again until it is taken, while
 * the device is connected. Rejects otherwise. `write` may be carried out twice. `about`: for the log.
 */
export async function untilTaken<T>(
  write: () => Promise<T>,
  { isConnected, log }: { readonly isConnected: () => boolean; readonly log: Logger },
  about: object,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!isConnected() || !isUnavailable(err)) throw err;
      log.warn({ err, ...about }, 'not written, will be tried again');
      await sleep(againMs);
    }
  }
}
