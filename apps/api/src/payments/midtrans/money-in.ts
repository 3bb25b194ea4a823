/** Books a payment and opens the period that it buys. Repeated notifications do so once. */
import { ApiError, type PaymentMethod } from '@kurir/contracts';
import { type SettleOutcome, settleRenewal } from '@kurir/database';
import type { Ground } from '../../http/ground.js';
import type { MidtransStatus } from './midtrans-api.js';
import { midtransName } from './midtrans-provider.js';

const refusals: Record<Exclude<SettleOutcome, 'extended' | 'already-settled'>, () => ApiError> = {
  'unknown-renewal': () => new ApiError('NOT_FOUND', 'There is no renewal with this order_id.'),
  'wrong-amount': () =>
    new ApiError(
      'INVALID_REQUEST',
      'gross_amount: differs from the price of the renewal. The payment is booked, but the renewal still awaits a payment of its exact price.',
    ),
  'payment-of-another': () => new ApiError('INVALID_REQUEST', 'transaction_id: was booked for another renewal.'),
};

/** https://docs.midtrans.com/reference/charge-transactions-1 names the types of payments. */
const methods: ReadonlyMap<string, PaymentMethod> = new Map([
  ['qris', 'qris'],
  ['bank_transfer', 'bank_transfer'],
  ['echannel', 'bank_transfer'],
  ['permata', 'bank_transfer'],
  ['credit_card', 'card'],
  ['gopay', 'e_wallet'],
  ['shopeepay', 'e_wallet'],
]);

/** Settles the renewal with a payment in rupiah. Logs an error for a person if the payment buys nothing. */
export async function settle({ database, logger }: Ground, status: MidtransStatus): Promise<SettleOutcome> {
  const line = { renewalId: status.order_id };
  const outcome = await settleRenewal(database, {
    renewalId: status.order_id,
    provider: midtransName,
    providerPayment: status.transaction_id,
    amountRupiah: status.gross_amount,
    method: methods.get(status.payment_type ?? '') ?? null,
  });
  if (outcome === 'extended') logger.info(line, 'renewal paid');
  else if (outcome !== 'already-settled')
    logger.error({ ...line, outcome }, 'a payment that buys nothing was reported; look into it');
  return outcome;
}

/** Settles a payment that has arrived. Throws the answer to Midtrans if the payment buys nothing. */
export async function bookPayment(ground: Ground, status: MidtransStatus): Promise<void> {
  if (status.currency !== 'IDR') {
    ground.logger.error({ renewalId: status.order_id }, 'a payment in another currency was reported; look into it');
    throw new ApiError('INVALID_REQUEST', 'currency: must be IDR. Nothing was booked.');
  }
  const outcome = await settle(ground, status);
  if (outcome !== 'extended' && outcome !== 'already-settled') throw refusals[outcome]();
}
