/** The Express app: the signed operations of the route table first, then the pages for people and machines. */
import { type Endpoint, endpoints, type Operation, operations } from '@kurir/contracts';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { answerFailure } from './answer-failure.js';
import type { Api } from './api.js';
import { addDashboardRoutes } from './dashboard/dashboard-routes.js';
import { addHealthRoutes } from './health.js';
import { answerNotFound } from './not-found.js';
import { addDocsRoutes } from './pages/docs.js';
import { addIndexRoute } from './pages/index-page.js';
import { addPaymentRoutes } from './payments/payment-routes.js';
import { requestTraces } from './request-trace.js';
import { requireHost } from './require-host.js';
import { addRoute, type Methods } from './route.js';
import { serveOperation } from './serve-operation.js';

/**
 * For JSON there is nothing to load, frame or run; the HTML pages say what they need themselves. What the policy
 * says already, and what only old browsers ask, is left out of every answer.
 */
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
function headersOf(middleware: RequestHandler): (readonly [string, string])[] {
  const headers: [string, string][] = [];
  // All that helmet touches of a request and its answer.
  const res = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => {} };
  middleware({} as Request, res as unknown as Response, () => {});
  return headers;
}

function securityHeaders(): RequestHandler {
  const headers = headersOf(policy);
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

function operationsByPath(): Map<string, Operation[]> {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { path } = endpoints[operation];
    paths.set(path, [...(paths.get(path) ?? []), operation]);
  }
  return paths;
}

const methodsOf = (api: Api, atPath: readonly Operation[]): Methods =>
  Object.fromEntries(
    atPath.map((operation) => {
      const { method }: Endpoint = endpoints[operation];
      return [method, serveOperation(operation, api)];
    }),
  );

function addOperations(app: Express, api: Api): void {
  const paths = [...operationsByPath()];
  // A fixed path goes before one with a parameter in the same place.
  paths.sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
  for (const [path, atPath] of paths) addRoute(app, path, methodsOf(api, atPath));
}

export function createApp(api: Api): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // The query is read from the address as it was sent.
  app.set('query parser', false);
  app.set('trust proxy', api.trustedProxies);

  app.use(requestTraces(api.logger), securityHeaders(), requireHost);
  addOperations(app, api);
  addHealthRoutes(app, api);
  addPaymentRoutes(app, api);
  addDashboardRoutes(app, api);
  addDocsRoutes(app, api);
  addIndexRoute(app, api);
  app.use(answerNotFound, answerFailure(api.logger));
  return app;
}
