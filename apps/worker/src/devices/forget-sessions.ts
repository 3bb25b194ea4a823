/**
 * Makes a device forget its sessions with others, as an operator requested, between two of its own sessions. The request is
 * removed last: a worker that dies in between leaves it, and the next one repeats the work.
 */
import { writeSessionsForgotten } from '@kurir/database';
import { CredentialsUnreadable } from '@kurir/network';
import type { DeviceLease } from '../leases/device-lease.js';
import type { DeviceNetwork } from './device-network.js';

/** `put-off`: the credentials cannot be read, and the request stays. Rejects as the database does. */
export async function forgetSessions(
  { database, token, log }: DeviceLease,
  { driver, credentials }: DeviceNetwork,
  askedAt: Date,
): Promise<'forgotten' | 'put-off' | 'lease-lost'> {
  try {
    await driver.forgetSessions?.(credentials);
  } catch (err) {
    if (!(err instanceof CredentialsUnreadable)) throw err;
    // The next session meets the same row, and the device then shows the reason.
    log.warn({ err }, 'sessions not forgotten, will be tried again');
    return 'put-off';
  }
  if (!(await writeSessionsForgotten(database, token, askedAt))) return 'lease-lost';
  log.info('sessions forgotten');
  return 'forgotten';
}
