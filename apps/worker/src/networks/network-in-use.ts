/** The driver of a device's network, and what of the network's declaration a worker asks. */
import { isNetwork, type Network, type NetworkDeclaration, networks } from '@kurir/contracts';
import type { Driver } from '@kurir/network';
import { createRefusingDriver } from './refusing-driver.js';

/** Null: this worker was not told how to reach the network. */
export type Drivers = Readonly<Record<Network, Driver | null>>;

export type NetworkInUse = Pick<NetworkDeclaration, 'limitsNewContacts' | 'hasTyping'> & { readonly driver: Driver };

/** Nothing is sent to a network without a driver, nor to one that only a newer version knows. */
export function networkInUse(drivers: Drivers, network: string): NetworkInUse {
  if (!isNetwork(network))
    return { limitsNewContacts: false, hasTyping: false, driver: createRefusingDriver('no_driver') };
  return { ...networks[network], driver: drivers[network] ?? createRefusingDriver('no_driver') };
}
