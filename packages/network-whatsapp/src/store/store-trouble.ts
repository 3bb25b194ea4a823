import { CredentialsUnreadable, type SessionEnd } from '@kurir/network';
import { DamagedRow, LOGIN_KIND } from './device-rows.js';

const UNREADABLE_WAIT_MS = 10 * 60_000;

/**
 * The end of a session whose credentials could not be read or written. Only a damaged login is worthless for certain. A
 * row that cannot be opened may be good again with the right master key, so nothing is erased. The device waits and
 * says why.
 */
export function endOfStoreTrouble(error: unknown, now: number = Date.now()): SessionEnd {
  if (error instanceof DamagedRow && error.kind === LOGIN_KIND)
    return { reason: 'credentials_invalid', next: 'relink' };
  if (error instanceof DamagedRow || error instanceof CredentialsUnreadable) {
    return { reason: 'credentials_unreadable', next: 'wait', until: new Date(now + UNREADABLE_WAIT_MS) };
  }
  // The store rejected a read or a write: another worker may hold the device by now.
  return { reason: 'connection_lost', next: 'check-lease' };
}
