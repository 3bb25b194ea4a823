/**
 * Carries out an operator's wish that a device forget its sessions with others, between two of its own. The wish goes after
 * the deed: whoever dies in between does it again.
 */
import { type Database, type Holder, writeSessionsForgotten } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { CredentialsUnreadable, type Driver, type ErasableCredentials } from '@kurir/network';

export type ForgetWish = {
  readonly database: Database;
  readonly holder: Holder;
  readonly driver: Driver;
  readonly credentials: ErasableCredentials;
  readonly askedAt: Date;
  readonly log: Logger;
};

/** `put-off`: its credentials cannot be read; the wish stays. Rejects as the database does. */
export async function forgetSessions(wish: ForgetWish): Promise<'forgotten' | 'put-off' | 'lease-lost'> {
  const { database, holder, driver, credentials, askedAt, log } = wish;
  try {
    await driver.forgetSessions?.(credentials);
  } catch (err) {
    if (!(err instanceof CredentialsUnreadable)) throw err;
    // The session that follows meets the same row, and the device then says so.
    log.warn({ err }, 'sessions not forgotten, will be tried again');
    return 'put-off';
  }
  if (!(await writeSessionsForgotten(database, holder, askedAt))) return 'lease-lost';
  log.info('sessions forgotten');
  return 'forgotten';
}
