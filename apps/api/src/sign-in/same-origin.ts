/**
 * The wall against other sites: every browser says where a request comes from (Sec-Fetch-Site, or Origin where that
 * is missing). What changes something must say it, and must come from this origin; what only reads must not come
 * from another one.
 */
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import { isCrossSite } from '../payments/pay-page-handlers.js';
import type { Addresses } from '../addresses.js';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `none`: a person typed the address, or followed a bookmark. */
const ownSites = new Set(['same-origin', 'none']);

const refusal = () =>
  new ApiError('CROSS_SITE_REQUEST', 'This request came from another site. Use the dashboard’s own pages.');

export function sameOriginOnly(addresses: Addresses): RequestHandler {
  return (req, _res, next) => {
    const site = req.get('Sec-Fetch-Site');
    if (reads.has(req.method)) {
      if (site !== undefined && !ownSites.has(site)) throw refusal();
      return next();
    }
    const saysNothing = site === undefined && req.get('Origin') === undefined;
    if (saysNothing || isCrossSite(req, addresses.publicUrl())) throw refusal();
    next();
  };
}
