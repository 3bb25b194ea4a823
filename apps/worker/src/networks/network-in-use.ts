/** The driver of a device's network, and the parts of the network's declaration that a worker uses. */
import { isNetwork, type Network, type NetworkDeclaration, networks } from '@kurir/contracts';
import type { Driver } from '@kurir/network';
import { measured } from './measured-driver.js';
import { createRefusingDriver } from './refusing-driver.js';

/** Null if the worker's settings do not say how to reach the network. */
export type Drivers = Readonly<Record<Network, Driver | null>>;

export type NetworkInUse = Pick<NetworkDeclaration, 'limitsNewContacts' | 'hasTyping'> & { readonly driver: Driver };

/** Returns a refusing driver for a network without a driver, and for one that only newer versions know. */
export function networkInUse(drivers: Drivers, network: string): NetworkInUse {
  if (!isNetwork(network))
    return { limitsNewContacts: false, hasTyping: false, driver: createRefusingDriver('no_driver') };
  const driver = drivers[network] ?? createRefusingDriver('no_driver');
  return { ...networks[network], driver: measured(network, driver) };
}
