import type { Express } from 'express';
import type { Api } from '../operations/api.js';
import { addRoute } from '../http/route.js';
import { sandboxName } from '../payments/invoices/sandbox-name.js';
import { showInvoiceFile, showPaymentPage, takePayment } from '../payments/pay-page-handlers.js';
import { servePaymentCallback } from '../payments/payment-callback.js';
import { midtransCallbackPath } from '../payments/midtrans/midtrans-provider.js';
import { serveMidtransNotification } from '../payments/midtrans/midtrans-notification.js';
import { callbackPath } from '../payments/sandbox-provider.js';

/** Adds only the routes of the provider in use. The sandbox must not pay for anything where payments are real. */
export function addPaymentRoutes(app: Express, api: Api): void {
  if (api.payments?.name === sandboxName) addSandboxRoutes(app, api);
  if (api.midtrans === null) return;
  const { midtrans, serverKey } = api.midtrans;
  addRoute(app, midtransCallbackPath, { POST: serveMidtransNotification(api, midtrans, serverKey) });
}

function addSandboxRoutes(app: Express, api: Api): void {
  const { provider, callbackSecret } = api.sandbox;
  addRoute(app, '/pay/{page_token}', { GET: showPaymentPage(api), POST: takePayment(api, provider) });
  addRoute(app, '/pay/{page_token}/invoice', { GET: showInvoiceFile(api, api.seller) });
  addRoute(app, callbackPath, { POST: servePaymentCallback(api, callbackSecret) });
}
