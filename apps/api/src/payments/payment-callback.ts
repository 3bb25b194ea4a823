/**
 * Serves the callback of the sandbox provider for a payment. It verifies the signature over the raw body and compares
 * the amount with our own row. Repeated callbacks settle a renewal once, and each one gets 200.
 */
import { ApiError, parseInput, paymentMethods } from '@kurir/contracts';
import { type SettleOutcome, settleRenewal } from '@kurir/database';
import { verifyPayload } from '@kurir/signing';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { answerSuccess } from '../http/answer.js';
import { addressOf } from '../http/callers/caller-address.js';
import type { Ground } from '../http/ground.js';
import { parseJson, requireJson } from '../http/body/parse-json.js';
import { readSmallBody } from '../http/body/read-body.js';
import { networkOf } from '../http/callers/network-of.js';
import { sandboxName } from './invoices/sandbox-name.js';

const maxBodyBytes = 64 * 1024;

const plainText = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 plain characters');

const notice = z.object({
  renewal_id: plainText,
  payment_id: plainText,
  amount: z.int().min(0).max(2_147_483_647),
  status: z.literal('paid'),
  method: z.enum(paymentMethods).nullable().default(null),
});

const headerOf = (req: Request, name: string) => req.get(name) ?? '';

const refusals: Record<Exclude<SettleOutcome, 'extended' | 'already-settled'>, () => ApiError> = {
  'unknown-renewal': () => new ApiError('NOT_FOUND', 'There is no renewal with this renewal_id.'),
  'wrong-amount': () =>
    new ApiError(
      'INVALID_REQUEST',
      'amount: differs from the price of the renewal. The payment is booked, but the renewal still awaits a payment of its exact price.',
    ),
  'payment-of-another': () => new ApiError('INVALID_REQUEST', 'payment_id: was booked for another renewal.'),
};

export function servePaymentCallback(ground: Ground, callbackSecret: string): RequestHandler {
  return async (req, res) => {
    const caller = networkOf(addressOf(req, ground.trustedProxies));
    const body = await readSmallBody(req, maxBodyBytes, { bodies: ground.bodies, caller });
    const [timestamp, signature] = [headerOf(req, 'X-Timestamp'), headerOf(req, 'X-Signature')];
    if (!verifyPayload({ secret: callbackSecret, timestamp, body, signature, nowMs: ground.now() }))
      throw new ApiError(
        'INVALID_SIGNATURE',
        'X-Signature does not match the body and X-Timestamp, or the timestamp is too old.',
      );
    requireJson(req.headers['content-type']);
    const paid = parseInput(notice, parseJson(body));
    const payment = {
      renewalId: paid.renewal_id,
      provider: sandboxName,
      providerPayment: paid.payment_id,
      amountRupiah: paid.amount,
      method: paid.method,
    };
    const outcome = await settleRenewal(ground.database, payment);
    if (outcome === 'wrong-amount' || outcome === 'payment-of-another')
      ground.logger.error(
        { renewalId: paid.renewal_id, outcome },
        'a payment that buys nothing was reported; look into it',
      );
    if (outcome !== 'extended' && outcome !== 'already-settled') throw refusals[outcome]();
    if (outcome === 'extended') ground.logger.info({ renewalId: paid.renewal_id }, 'renewal paid');
    answerSuccess(res, outcome === 'extended' ? 'Payment settled' : 'Payment was settled before', {
      renewal_id: paid.renewal_id,
    });
  };
}
