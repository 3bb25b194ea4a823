/**
 * A driver that reaches nobody: every link fails and every session ends, for a reason that only a person can remove. The
 * worker tries again after some minutes, or at once when it is restarted.
 */
import type { CloseReason, ConnectOptions, Driver, LinkAttempt, LinkFailure, Session } from '@kurir/network';

const waitMs = 10 * 60_000;

export function createRefusingDriver(reason: CloseReason & LinkFailure): Driver {
  return {
    link: () => failedLink(reason),
    connect: (options) => endedSession(options, reason),
  };
}

function failedLink(reason: LinkFailure): LinkAttempt {
  return { end: Promise.resolve({ kind: 'failed', reason }), cancel: () => undefined };
}

function endedSession({ events }: ConnectOptions, reason: CloseReason): Session {
  const ended = new Promise<void>((resolve) => {
    setImmediate(() => {
      events.ended({ reason, next: 'wait', until: new Date(Date.now() + waitMs) });
      resolve();
    });
  });
  const refuse = () => Promise.reject(new Error('the session is not connected'));
  return {
    send: async () => ({ kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 0 }),
    typing: refuse,
    logout: refuse,
    close: () => ended,
  };
}
