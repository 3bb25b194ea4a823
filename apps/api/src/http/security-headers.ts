/** The security headers that every answer carries; HTML pages say what they need themselves. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** For JSON there is nothing to load, frame or run. What the policy says already, and what only old browsers ask, is left out. */
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

/** What the policy sets is the same for every answer: it is asked once. */
function headersOfPolicy(): (readonly [string, string])[] {
  const headers: [string, string][] = [];
  // All that helmet touches of a request and its answer.
  const res = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => {} };
  policy({} as IncomingMessage, res as unknown as ServerResponse, () => {});
  return headers;
}

export const securityHeaders: readonly (readonly [string, string])[] = headersOfPolicy();

/** The same for what Express serves. */
export const setSecurityHeaders: RequestHandler = (_req, res, next) => {
  for (const [name, value] of securityHeaders) res.setHeader(name, value);
  next();
};
