import type { Express } from 'express';
import type { Api } from '../api.js';
import { addRoute } from '../route.js';
import { showPaymentPage, takePayment } from './pay-page-handlers.js';
import { servePaymentCallback } from './payment-callback.js';
import { callbackPath } from './sandbox-provider.js';

export function addPaymentRoutes(app: Express, api: Api): void {
  const { provider, callbackSecret } = api.sandbox;
  addRoute(app, '/pay/{page_token}', { GET: showPaymentPage(api), POST: takePayment(api, provider) });
  addRoute(app, callbackPath, { POST: servePaymentCallback(api, callbackSecret) });
}
