/**
 * What went back of a payment that is in our books: a refund, a chargeback, or a capture that was cancelled before it was
 * settled. It is booked once, however often it is told, and a person is told: the period that was bought stays open until
 * an operator ends it.
 */
import { bookReturn, type ReturnedMoney } from '@kurir/database';
import type { Api } from '../../api.js';
import type { MidtransStatus } from './midtrans-api.js';
import { midtransName } from './midtrans-provider.js';

type Back = Pick<ReturnedMoney, 'kind'> & { readonly totalRupiah: number | 'all' | null };

/** The sum of the refunds that are listed; a notification's own amount may be one of several. */
const sumOf = ({ refunds, refund_amount: single }: MidtransStatus): number | null =>
  refunds === undefined ? (single ?? null) : refunds.reduce((sum, { refund_amount: part }) => sum + part, 0);

/** Null while nothing went back. `totalRupiah` null: how much, Midtrans did not say. */
function whatWentBack(status: MidtransStatus): Back | null {
  switch (status.transaction_status) {
    case 'refund':
    // A payment that was booked and is now cancelled or denied was never settled: none of it arrives.
    case 'cancel':
    case 'deny':
      return { kind: 'refund', totalRupiah: 'all' };
    case 'partial_refund':
      return { kind: 'refund', totalRupiah: sumOf(status) };
    case 'chargeback':
      return { kind: 'chargeback', totalRupiah: 'all' };
    case 'partial_chargeback':
      return { kind: 'chargeback', totalRupiah: sumOf(status) };
    default:
      return null;
  }
}

/** How most transactions end that nobody pays. */
const endsUnpaid = new Set(['cancel', 'deny']);

export async function bookWhatWentBack({ database, logger }: Api, status: MidtransStatus): Promise<void> {
  const back = whatWentBack(status);
  if (back === null) return;
  const { kind, totalRupiah } = back;
  const line = { renewalId: status.order_id, kind };
  if (totalRupiah === null || status.currency !== 'IDR')
    return logger.error(
      line,
      'money went back to the payer and is not booked, for how much is not clear; look into it',
    );
  const money = { provider: midtransName, providerPayment: status.transaction_id, kind, totalRupiah };
  const outcome = await bookReturn(database, money);
  if (outcome === 'booked')
    logger.error(line, 'money went back to the payer; what it bought stays open until an operator ends it');
  if (outcome === 'never-paid' && !endsUnpaid.has(status.transaction_status))
    logger.error(line, 'money went back that never came in by our books; look into it');
}
