/** Sees each connection of a driver, so that a test can report events in the name of the network. */
import type { ConnectOptions, Driver } from '@kurir/network';

export class WatchedConnections {
  /** The options of all connections, in the order in which they began. */
  readonly all: ConnectOptions[] = [];

  readonly wrap = (driver: Driver): Driver => ({
    ...driver,
    connect: (options) => {
      this.all.push(options);
      return driver.connect(options);
    },
  });

  get newest(): ConnectOptions {
    const newest = this.all.at(-1);
    if (newest === undefined) throw new Error('nothing has connected');
    return newest;
  }
}
