/**
 * Serves the notifications of Midtrans. Their signature covers neither the status nor the currency. So a notification
 * is only a signal: the api reads the status from Midtrans, and compares amount and currency with our own row.
 * Notifications may repeat and come in any order, and still settle a renewal only once.
 */
import { ApiError, parseInput } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { answerSuccess } from '../../http/answer.js';
import { addressOf } from '../../http/callers/caller-address.js';
import type { Ground } from '../../http/ground.js';
import { parseJson, requireJson } from '../../http/body/parse-json.js';
import { readSmallBody } from '../../http/body/read-body.js';
import { networkOf } from '../../http/callers/network-of.js';
import { bookReturnedMoney } from './money-back.js';
import type { MidtransApi, MidtransStatus } from './midtrans-api.js';
import { bookPayment } from './money-in.js';
import { isSignedByMidtrans } from './notification-signature.js';

const maxBodyBytes = 64 * 1024;
const text = z.string().min(1).max(128);

/** The api ignores all other fields. */
const notificationBody = z.object({ order_id: text, status_code: text, gross_amount: text, signature_key: text });

/** A payment has arrived when it is settled, or captured from a card without a doubt about fraud. */
const isPaid = ({ transaction_status: status, fraud_status: fraud }: MidtransStatus): boolean =>
  status === 'settlement' || (status === 'capture' && fraud === 'accept');

async function readBack(midtrans: MidtransApi, orderId: string): Promise<MidtransStatus> {
  let status: MidtransStatus | null;
  try {
    status = await midtrans.readStatus(orderId);
  } catch (cause) {
    throw new ApiError(
      'PAYMENT_PROVIDER_ERROR',
      'Midtrans did not return the status of the transaction. Send the notification again.',
      {
        cause,
      },
    );
  }
  if (status?.order_id === orderId) return status;
  throw new ApiError('NOT_FOUND', 'Midtrans has no transaction with this order_id.');
}

export function serveMidtransNotification(ground: Ground, midtrans: MidtransApi, serverKey: string): RequestHandler {
  return async (req, res) => {
    const caller = networkOf(addressOf(req, ground.trustedProxies));
    const body = await readSmallBody(req, maxBodyBytes, { bodies: ground.bodies, caller });
    requireJson(req.headers['content-type']);
    const notification = parseInput(notificationBody, parseJson(body));
    if (!isSignedByMidtrans(notification, serverKey))
      throw new ApiError('INVALID_SIGNATURE', 'signature_key does not match order_id, status_code and gross_amount.');
    const status = await readBack(midtrans, notification.order_id);
    if (isPaid(status)) await bookPayment(ground, status);
    else await bookReturnedMoney(ground, status);
    answerSuccess(res, 'Notification taken', { order_id: notification.order_id });
  };
}
