/** The country that a new person names. The account that opens for the person gets it. */
import type { GenericEndpointContext } from '@better-auth/core';
import { isCountry } from '@kurir/phone-numbers';
import { APIError } from 'better-auth/api';

/** Throws 400 if the body names a country without phone numbers. */
export function checkCountry({ body }: Pick<GenericEndpointContext, 'body'>): void {
  if (typeof body !== 'object' || body === null) return;
  const given: unknown = Reflect.get(body, 'country') ?? null;
  if (given === null || (typeof given === 'string' && isCountry(given))) return;
  const message = 'country: must be a country code of two letters, such as ID.';
  throw new APIError('BAD_REQUEST', { code: 'INVALID_REQUEST', message });
}
