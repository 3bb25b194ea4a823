/** The security headers of every answer. HTML pages add their own policy. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** JSON loads, frames and runs nothing. Headers that repeat this policy or serve only old browsers are off. */
const policy = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Asks helmet once, because its headers are the same for every answer. */
function headersOfPolicy(): (readonly [string, string])[] {
  const headers: [string, string][] = [];
  // helmet uses only these two methods.
  const res = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => {} };
  policy({} as IncomingMessage, res as unknown as ServerResponse, () => {});
  return headers;
}

export const securityHeaders: readonly (readonly [string, string])[] = headersOfPolicy();

/** The same as a handler of Express. */
export const setSecurityHeaders: RequestHandler = (_req, res, next) => {
  for (const [name, value] of securityHeaders) res.setHeader(name, value);
  next();
};
