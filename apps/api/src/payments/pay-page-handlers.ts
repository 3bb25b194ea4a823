/**
 * Serves the payment page of the sandbox provider, which shows a renewal and takes its payment. A second payment
 * changes nothing.
 */
import { readRenewalByPage, type Renewal } from '@kurir/database';
import type { Request, RequestHandler, Response } from 'express';
import type { Ground } from '../http/ground.js';
import { isCrossSite } from '../http/cross-site.js';
import { answerHtml, hashSource } from '../pages/answer-html.js';
import { noticePage, paymentPage, paymentPageStyle } from './payment-page.js';
import type { SandboxProvider } from './sandbox-provider.js';

const policy = [
  "default-src 'none'",
  `style-src ${hashSource(paymentPageStyle)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const tokenPattern = /^[\w-]{10,100}$/;

function readRenewal(ground: Ground, req: Request): Promise<Renewal | null> {
  const { page_token: token } = req.params;
  return typeof token === 'string' && tokenPattern.test(token)
    ? readRenewalByPage(ground.database, token)
    : Promise.resolve(null);
}

function answerNotice(res: Response, status: number, indonesian: string, english: string): void {
  answerHtml(res, { status, html: noticePage(indonesian, english), policy });
}

const answerUnknown = (res: Response) =>
  answerNotice(res, 404, 'Halaman pembayaran tidak ditemukan', 'There is no payment page at this address.');

export function showPaymentPage(ground: Ground): RequestHandler {
  return async (req, res) => {
    const renewal = await readRenewal(ground, req);
    if (renewal === null) return answerUnknown(res);
    answerHtml(res, { html: paymentPage(renewal), policy });
  };
}

export function takePayment(ground: Ground, provider: SandboxProvider): RequestHandler {
  return async (req, res) => {
    req.resume();
    if (isCrossSite(req, ground.addresses.publicUrl()))
      return answerNotice(
        res,
        403,
        'Pembayaran ditolak',
        'This payment was started from another site. Open the payment page and pay there.',
      );
    const renewal = await readRenewal(ground, req);
    if (renewal === null) return answerUnknown(res);
    try {
      if (renewal.state !== 'paid') await provider.pay(renewal);
    } catch (err) {
      ground.logger.warn({ err, renewalId: renewal.id }, 'payment not reported');
      return answerNotice(
        res,
        502,
        'Pembayaran belum tercatat. Coba lagi.',
        'The payment was not recorded. Go back and try again.',
      );
    }
    // The browser loads the page again by GET, so that a reload does not pay again.
    res.writeHead(303, { Location: req.originalUrl, 'Cache-Control': 'no-store' });
    res.end();
  };
}
