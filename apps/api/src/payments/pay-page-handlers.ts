/**
 * Serves the payment page of the sandbox provider, which shows a renewal, takes its payment, and gives the invoice. A
 * second payment changes nothing.
 */
import { isLanguage, type Language, type PaymentMethod } from '@kurir/contracts';
import { type PayableRenewal, readRenewalByPage } from '@kurir/database';
import { readInvoice } from '@kurir/database/invoices';
import type { Request, RequestHandler, Response } from 'express';
import { acceptedLanguage } from '../http/accepted-language.js';
import { readSmallBody } from '../http/body/read-body.js';
import { addressOf } from '../http/callers/caller-address.js';
import { networkOf } from '../http/callers/network-of.js';
import { isCrossSite } from '../http/cross-site.js';
import type { Ground } from '../http/ground.js';
import { queryOf } from '../http/request-target.js';
import { answerHtml, hashSource } from '../pages/answer-html.js';
import type { Seller } from './invoices/draw-invoice.js';
import { invoiceFile } from './invoices/invoice-file.js';
import { noticePage, type PayNotice, paymentPage, paymentPageStyle } from './payment-page.js';
import { sandboxMethods } from './payment-texts.js';
import type { SandboxProvider } from './sandbox-provider.js';

const policy = [
  "default-src 'none'",
  `style-src ${hashSource(paymentPageStyle)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const tokenPattern = /^[\w-]{10,100}$/;

function readRenewal(ground: Ground, req: Request): Promise<PayableRenewal | null> {
  const { page_token: token } = req.params;
  return typeof token === 'string' && tokenPattern.test(token)
    ? readRenewalByPage(ground.database, token)
    : Promise.resolve(null);
}

/** The page's link to the other language comes first, then the language of the browser. */
function languageOf(req: Request): Language {
  const { lang } = queryOf(req.originalUrl);
  return isLanguage(lang) ? lang : (acceptedLanguage(req.get('accept-language')) ?? 'id');
}

const statuses: Record<PayNotice, number> = { unknown: 404, crossSite: 403, notRecorded: 502 };

const answerNotice = (req: Request, res: Response, notice: PayNotice): void =>
  answerHtml(res, { status: statuses[notice], html: noticePage(notice, languageOf(req)), policy });

export function showPaymentPage(ground: Ground): RequestHandler {
  return async (req, res) => {
    const renewal = await readRenewal(ground, req);
    if (renewal === null) return answerNotice(req, res, 'unknown');
    answerHtml(res, { html: paymentPage(renewal, languageOf(req)), policy });
  };
}

const maxFormBytes = 1024;

/** The method that the person chose in the form. Null: none of the page's. */
async function readMethod(ground: Ground, req: Request): Promise<PaymentMethod | null> {
  const caller = networkOf(addressOf(req, ground.trustedProxies));
  const body = await readSmallBody(req, maxFormBytes, { bodies: ground.bodies, caller });
  const chosen = new URLSearchParams(body.toString('utf8')).get('method');
  return sandboxMethods.find((method) => method === chosen) ?? null;
}

export function takePayment(ground: Ground, provider: SandboxProvider): RequestHandler {
  return async (req, res) => {
    const method = await readMethod(ground, req);
    if (isCrossSite(req, ground.addresses.publicUrl())) return answerNotice(req, res, 'crossSite');
    const renewal = await readRenewal(ground, req);
    if (renewal === null) return answerNotice(req, res, 'unknown');
    try {
      if (renewal.state !== 'paid') await provider.pay(renewal, method);
    } catch (err) {
      ground.logger.warn({ err, renewalId: renewal.id }, 'payment not reported');
      return answerNotice(req, res, 'notRecorded');
    }
    // The browser loads the page again by GET, so that a reload does not pay again.
    res.writeHead(303, { Location: req.originalUrl, 'Cache-Control': 'no-store' });
    res.end();
  };
}

/** The invoice of a paid renewal, for the payer, who may not be a member of the account. */
export function showInvoiceFile(ground: Ground, seller: Seller): RequestHandler {
  return async (req, res) => {
    const renewal = await readRenewal(ground, req);
    const invoice = renewal === null ? null : await readInvoice(ground.database, renewal.accountId, renewal.id);
    if (invoice === null) return answerNotice(req, res, 'unknown');
    const { name, content } = await invoiceFile({ invoice, seller, language: languageOf(req) });
    res.writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': content.byteLength,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    });
    res.end(content);
  };
}
