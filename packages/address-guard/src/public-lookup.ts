/**
 * Looks a name up and returns only addresses that the gateway may call. The connection uses these addresses.
 * There is no second lookup that could return others.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressPolicy } from './called-url.js';
import { isLoopbackAddress, isPublicAddress } from './public-address.js';

/** The gateway does not connect to this address. The error does not name it, so that nobody learns what is inside. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  constructor() {
    super('the address is not public');
  }
}

/** Returns only addresses that the whole internet can reach. */
export const createPublicLookup = (lookup?: LookupFunction): LookupFunction => createGuardedLookup('refuse', lookup);

function isAllowed(policy: AddressPolicy, address: string): boolean {
  if (policy === 'allow' || isPublicAddress(address)) return true;
  return policy === 'loopback' && isLoopbackAddress(address);
}

/** The error is `AddressNotAllowed` if no address of the name is allowed. */
export function createGuardedLookup(policy: AddressPolicy, lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      // The lookup asked for all addresses. Other resolvers may return one.
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: 4 }] : found;
      const allowed = addresses.filter(({ address }) => isAllowed(policy, address));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressNotAllowed(), '', 0);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
}
