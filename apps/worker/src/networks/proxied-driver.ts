/**
 * Sends all connections of a device through its proxy, if it has one, and never around it. If the proxy's address cannot be
 * read, nothing connects. After a restart with the right key it may be readable again.
 */
import { RecordUnreadable } from '@kurir/database';
import type { Driver } from '@kurir/network';
import { createRefusingDriver } from './refusing-driver.js';

/** `readProxyUrl` is called for each connection. It returns null without a proxy, and may throw `RecordUnreadable`. */
export function throughProxy(driver: Driver, readProxyUrl: () => string | null): Driver {
  const unreadable = createRefusingDriver('proxy_unreadable');
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
      return through === null ? unreadable.link(options) : driver.link({ ...options, ...through });
    },
    connect(options) {
      const through = proxy();
      return through === null ? unreadable.connect(options) : driver.connect({ ...options, ...through });
    },
  };
}

/** Compares two sealed addresses of a device's proxy. */
export function isSameProxy(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}
