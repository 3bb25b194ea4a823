/**
 * The wall against other sites. A browser says where a request comes from: by Sec-Fetch-Site, or by Origin where that is
 * missing. A request that changes something must say it, and must come from this origin. A request that only reads must not
 * come from another one; over plain http some browsers say nothing.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import { isCrossSite } from '../http/cross-site.js';
import type { Addresses } from '../http/addresses.js';
import { authPath } from './create-sign-in.js';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `none`: a person typed the address, or followed a bookmark. */
const ownSites = new Set(['same-origin', 'none']);

/** The link in a mail, opened from a page that shows mails; what it carries is known to that mail only. */
const mailedPath = `${authPath}/verify-email`;

const refusal = () =>
  new ApiError('CROSS_SITE_REQUEST', 'This request came from another site. Use the dashboard’s own pages.');

/** Throws the refusal. `path`: what the request asks for, without its query. */
export function checkSameOrigin(req: IncomingMessage, path: string, publicUrl: string): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin } = req.headers;
  if (reads.has(req.method ?? '')) {
    const isFollowed = mode === 'navigate' && path === mailedPath;
    if (site !== undefined && !ownSites.has(site) && !isFollowed) throw refusal();
    return;
  }
  const saysNothing = site === undefined && origin === undefined;
  if (saysNothing || isCrossSite(req, publicUrl)) throw refusal();
}

/** The same for what Express serves. */
export function sameOriginOnly(addresses: Addresses): RequestHandler {
  return (req, _res, next) => {
    checkSameOrigin(req, req.baseUrl + req.path, addresses.publicUrl());
    next();
  };
}
