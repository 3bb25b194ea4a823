import type { SessionEnd } from '@kurir/network';
import type { NetworkFrameOf } from '../protocol/frames.js';

const DEFAULT_WAIT_MS = 60_000;

/** Translates the reason of the network's last frame into the end of the session. */
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
      // These reasons are not for a device that is logged in, or the driver sent a wrong frame. Another try is all that
      // can help.
      return { reason: 'network_unavailable', next: 'reconnect' };
  }
}
