import type { SessionEnd } from '@kurir/network';
import type { NetworkFrameOf } from '../protocol/frames.js';

const DEFAULT_WAIT_MS = 60_000;

/** What the network's last word means for the worker. */
export function sessionEndOf({ reason, until }: NetworkFrameOf<'end'>): SessionEnd {
  switch (reason) {
    case 'restart_required':
    case 'network_unavailable':
      return { reason, next: 'reconnect' };
    case 'replaced':
      return { reason, next: 'check-lease' };
    case 'logged_out':
    case 'credentials_invalid':
      return { reason, next: 'relink' };
    case 'banned':
      return { reason, next: 'banned' };
    case 'temporarily_banned':
      return { reason, next: 'wait', until: new Date(until ?? Date.now() + DEFAULT_WAIT_MS) };
    case 'expired':
    case 'phone_not_on_network':
    case 'protocol_error':
      // Not for a logged-in device, or we spoke wrongly: nothing better than to try again.
      return { reason: 'network_unavailable', next: 'reconnect' };
  }
}
