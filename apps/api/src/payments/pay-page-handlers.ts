/**
 * The hosted page: shows a renewal and takes its payment. Paying twice is paying once. It answers people, so in HTML.
 */
import type { IncomingMessage } from 'node:http';
import { readRenewalByPage, type Renewal } from '@kurir/database';
import type { Request, RequestHandler, Response } from 'express';
import type { Api } from '../api.js';
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

function readRenewal(api: Api, req: Request): Promise<Renewal | null> {
  const { page_token: token } = req.params;
  return typeof token === 'string' && tokenPattern.test(token)
    ? readRenewalByPage(api.database, token)
    : Promise.resolve(null);
}

function answerNotice(res: Response, status: number, indonesian: string, english: string): void {
  answerHtml(res, { status, html: noticePage(indonesian, english), policy });
}

const answerUnknown = (res: Response) =>
  answerNotice(res, 404, 'Halaman pembayaran tidak ditemukan', 'There is no payment page at this address.');

/** A browser says where a form was posted from; what is no browser has no cookie or session to be abused. */
export function isCrossSite({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return origin !== new URL(publicUrl).origin && (!URL.canParse(origin) || new URL(origin).host !== host);
}

export function showPaymentPage(api: Api): RequestHandler {
  return async (req, res) => {
    const renewal = await readRenewal(api, req);
    if (renewal === null) return answerUnknown(res);
    answerHtml(res, { html: paymentPage(renewal), policy });
  };
}

export function takePayment(api: Api, provider: SandboxProvider): RequestHandler {
  return async (req, res) => {
    req.resume();
    if (isCrossSite(req, api.addresses.publicUrl()))
      return answerNotice(
        res,
        403,
        'Pembayaran ditolak',
        'This payment was started from another site. Open the payment page and pay there.',
      );
    const renewal = await readRenewal(api, req);
    if (renewal === null) return answerUnknown(res);
    try {
      if (renewal.state !== 'paid') await provider.pay(renewal);
    } catch (err) {
      api.logger.warn({ err, renewalId: renewal.id }, 'payment not reported');
      return answerNotice(
        res,
        502,
        'Pembayaran belum tercatat. Coba lagi.',
        'The payment was not recorded. Go back and try again.',
      );
    }
    // Back to the page by GET, so that reloading it does not pay again.
    res.writeHead(303, { Location: req.originalUrl, 'Cache-Control': 'no-store' });
    res.end();
  };
}
