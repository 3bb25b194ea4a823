import { CredentialsUnreadable, type SessionEnd } from '@kurir/network';
import { DamagedRow, LOGIN_KIND } from './device-rows.js';

const UNREADABLE_WAIT_MS = 10 * 60_000;

/**
 * What a failed read or write of credentials means. Only a damaged login is worthless for sure. A row that cannot be
 * opened may be good again under the right master key, so nothing is erased for it; the device waits and says why.
 */
export function endOfStoreTrouble(error: unknown, now: number = Date.now()): SessionEnd {
  if (error instanceof DamagedRow && error.kind === LOGIN_KIND)
    return { reason: 'credentials_invalid', next: 'relink' };
  if (error instanceof DamagedRow || error instanceof CredentialsUnreadable) {
    return { reason: 'credentials_unreadable', next: 'wait', until: new Date(now + UNREADABLE_WAIT_MS) };
  }
  // The store gives us nothing, or takes nothing: the device may be another worker's by now.
  return { reason: 'connection_lost', next: 'check-lease' };
}
