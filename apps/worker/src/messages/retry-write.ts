import { isUnavailable } from '@kurir/database';
import type { ConnectedDevice } from './connected-device.js';

const retryDelayMs = 500;

/**
 * Writes a fact about a message. Retries while Postgres is unavailable and `mayRetry` returns true; rejects otherwise.
 * `write` may run twice, and must reject instead of throwing. The log shows `about`.
 */
export async function retryWrite<T>(
  { clock, lease }: ConnectedDevice,
  mayRetry: () => boolean,
  write: () => Promise<T>,
  about: object,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!mayRetry() || !isUnavailable(err)) throw err;
      lease.log.warn({ err, ...about }, 'not written, will be tried again');
      await clock.pause(retryDelayMs);
    }
  }
}
