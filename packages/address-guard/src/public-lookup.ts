/**
 * Looks a name up and lets only addresses pass that the whole internet can reach. The connection is made to what was
 * looked at here: there is no second lookup that could return something else.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** The address leads to where this gateway makes no connection. Never says where: nobody may learn what is inside. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  constructor() {
    super('the address is not public');
  }
}

/** `refused` is called before the connection fails: agents keep the message of an error, and lose the error. */
export function createPublicLookup(refused: () => void, lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      // All were asked for; other resolvers may answer with one.
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: 4 }] : found;
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) {
        refused();
        return callback(new AddressNotAllowed(), '', 0);
      }
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
}
