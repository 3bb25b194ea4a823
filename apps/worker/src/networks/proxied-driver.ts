/**
 * A device's driver through the device's proxy, where it has one: never around it. A proxy that cannot be read lets
 * nothing connect; after a restart with the right key it may be readable again.
 */
import { RecordUnreadable } from '@kurir/database';
import type { Driver } from '@kurir/network';
import { createRefusingDriver } from './refusing-driver.js';

/** `readProxyUrl` is asked at each connection; it throws `RecordUnreadable`, or answers null for none. */
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
