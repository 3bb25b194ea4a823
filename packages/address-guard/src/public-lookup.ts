/**
 * Looks a name up and returns only addresses that the whole internet can reach. The connection uses these addresses.
 * There is no second lookup that could return others.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** The gateway does not connect to this address. The error does not name it, so that nobody learns what is inside. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  constructor() {
    super('the address is not public');
  }
}

export function createPublicLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      // The lookup asked for all addresses. Other resolvers may return one.
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: 4 }] : found;
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressNotAllowed(), '', 0);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
}
