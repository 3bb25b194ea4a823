/**
 * A device's driver through the device's proxy, where it has one: never around it. A proxy that cannot be read lets
 * nothing connect; after a restart with the right key it may be readable again.
 */
import { RecordUnreadable } from '@kurir/database';
import type { ConnectOptions, Driver, LinkAttempt, Session } from '@kurir/network';

const unreadableWaitMs = 10 * 60_000;

/** `readProxyUrl` is asked at each connection; it throws `RecordUnreadable`, or answers null for none. */
export function throughProxy(driver: Driver, readProxyUrl: () => string | null): Driver {
  function proxy(): { proxyUrl?: string } | null {
    try {
      const proxyUrl = readProxyUrl();
      return proxyUrl === null ? {} : { proxyUrl };
    } catch (error) {
      if (error instanceof RecordUnreadable) return null;
      throw error;
    }
  }
  return {
    ...driver,
    link(options) {
      const through = proxy();
      return through === null ? failedLink() : driver.link({ ...options, ...through });
    },
    connect(options) {
      const through = proxy();
      return through === null ? endedSession(options) : driver.connect({ ...options, ...through });
    },
  };
}

function failedLink(): LinkAttempt {
  return { end: Promise.resolve({ kind: 'failed', reason: 'proxy_unreadable' }), cancel: () => undefined };
}

function endedSession({ events }: ConnectOptions): Session {
  const ended = new Promise<void>((resolve) => {
    setImmediate(() => {
      const until = new Date(Date.now() + unreadableWaitMs);
      events.ended({ reason: 'proxy_unreadable', next: 'wait', until });
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
