import { isUnavailable } from '@kurir/database';
import type { Logger } from '@kurir/logging';

const againMs = 500;

type Device = {
  readonly isConnected: () => boolean;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Logger;
};

/**
 * What is known of messages is not forgotten because Postgres is away for a moment: written again until it is taken, while
 * the device is connected. Rejects otherwise. `write` may be carried out twice, and does not throw. `about`: for the log.
 */
export async function untilTaken<T>(write: () => Promise<T>, device: Device, about: object): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!device.isConnected() || !isUnavailable(err)) throw err;
      device.log.warn({ err, ...about }, 'not written, will be tried again');
      await device.pause(againMs);
    }
  }
}
