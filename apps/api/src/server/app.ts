/** Makes the Express app. It serves everything except the operations (serve-operations.ts). */
import express, { type Express } from 'express';
import { answerFailure } from '../http/answer-failure.js';
import type { Api } from '../operations/api.js';
import { addDashboardRoutes } from './dashboard-routes.js';
import { addHealthRoutes } from '../pages/health.js';
import { answerNotFound } from '../pages/not-found.js';
import { addDocs, builtDocs } from '../pages/docs.js';
import { addIndexRoute } from '../pages/index-page.js';
import { addOpenApiRoute } from '../pages/openapi-document.js';
import { addPaymentRoutes } from './payment-routes.js';
import { requestTraces } from '../http/request-trace.js';
import { ownHostOnly, requireHost } from '../http/require-host.js';
import { setSecurityHeaders } from '../http/security-headers.js';

export function createApp(api: Api): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // The api reads the query from the address, as it was sent.
  app.set('query parser', false);
  app.set('trust proxy', api.trustedProxies);

  app.use(requestTraces(api.logger), setSecurityHeaders, requireHost);
  app.use(['/app', '/pay'], ownHostOnly(api.addresses));
  addHealthRoutes(app, api);
  addPaymentRoutes(app, api);
  addDashboardRoutes(app, api);
  addOpenApiRoute(app, api);
  addDocs(app, builtDocs);
  addIndexRoute(app, api);
  app.use(answerNotFound, answerFailure(api.logger));
  return app;
}
