/**
 * Keeps other sites out. A browser names the origin of a request in Sec-Fetch-Site, or else in Origin. A request that
 * changes something must name our own origin. A request that reads must not name another one, but may name none,
 * because over plain http some browsers send neither header.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import { isCrossSite } from '../http/cross-site.js';
import type { Addresses } from '../http/addresses.js';
import { authPath } from './create-sign-in.js';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `none` means that a person typed the address or followed a bookmark. */
const ownSites = new Set(['same-origin', 'none']);

/** A person opens this link from the site of a mail program. Only the mail knows its token. */
const mailedPath = `${authPath}/verify-email`;

const refusal = () =>
  new ApiError('CROSS_SITE_REQUEST', 'This request came from another site. Use the dashboard’s own pages.');

/** Throws the refusal. `path` has no query. */
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

/** The same as a handler of Express. */
export function sameOriginOnly(addresses: Addresses): RequestHandler {
  return (req, _res, next) => {
    checkSameOrigin(req, req.baseUrl + req.path, addresses.publicUrl());
    next();
  };
}
