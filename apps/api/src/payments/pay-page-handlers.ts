/**
 * Serves the payment page of the sandbox provider, which shows a renewal and takes its payment. A second payment
 * changes nothing.
 */
import { isLanguage, type Language } from '@kurir/contracts';
import { type PayableRenewal, readRenewalByPage } from '@kurir/database';
import type { Request, RequestHandler, Response } from 'express';
import { acceptedLanguage } from '../http/accepted-language.js';
import { queryOf } from '../http/request-target.js';
import type { Ground } from '../http/ground.js';
import { isCrossSite } from '../http/cross-site.js';
import { answerHtml, hashSource } from '../pages/answer-html.js';
import { noticePage, type PayNotice, paymentPage, paymentPageStyle } from './payment-page.js';
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

export function takePayment(ground: Ground, provider: SandboxProvider): RequestHandler {
  return async (req, res) => {
    req.resume();
    if (isCrossSite(req, ground.addresses.publicUrl())) return answerNotice(req, res, 'crossSite');
    const renewal = await readRenewal(ground, req);
    if (renewal === null) return answerNotice(req, res, 'unknown');
    try {
      if (renewal.state !== 'paid') await provider.pay(renewal);
    } catch (err) {
      ground.logger.warn({ err, renewalId: renewal.id }, 'payment not reported');
      return answerNotice(req, res, 'notRecorded');
    }
    // The browser loads the page again by GET, so that a reload does not pay again.
    res.writeHead(303, { Location: req.originalUrl, 'Cache-Control': 'no-store' });
    res.end();
  };
}
