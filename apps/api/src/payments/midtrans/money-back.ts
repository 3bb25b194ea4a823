/**
 * Books money that went back to a payer: by a refund, a chargeback, or a capture that was cancelled before it was
 * settled. Repeated notifications book it once. The log asks for a person, because the bought period stays open until
 * an operator ends it.
 */
import { bookReturn, type ReturnedMoney, type ReturnOutcome } from '@kurir/database';
import type { Ground } from '../../http/ground.js';
import type { MidtransStatus } from './midtrans-api.js';
import { midtransName } from './midtrans-provider.js';
import { settle } from './money-in.js';

type Returned = Pick<ReturnedMoney, 'kind'> & { readonly totalRupiah: number | 'all' | null };

/** Sums the listed refunds. If the sum is zero, the total of the transaction counts. */
function sumOf({ refunds = [], refund_amount: total }: MidtransStatus): number | null {
  const listed = refunds.reduce((sum, { refund_amount: part }) => sum + part, 0);
  return listed || total || null;
}

/** Returns null if nothing went back. `totalRupiah` is null if Midtrans did not give the amount. */
function returnedBy(status: MidtransStatus): Returned | null {
  switch (status.transaction_status) {
    case 'refund':
    // A booked payment that is cancelled or denied now was never settled, so none of it arrives.
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

/** Most unpaid transactions end like this. */
const endsUnpaid = new Set(['cancel', 'deny']);

const unclear = 'money went back to the payer and is not booked, for how much is not clear; look into it';

/** Returns the log message for a person, or null if nothing is new. */
function warningFor(outcome: ReturnOutcome, status: MidtransStatus): string | null {
  if (outcome === 'booked') return 'money went back to the payer; what it bought stays open until an operator ends it';
  if (outcome === 'booked-as-other') return unclear;
  return outcome === 'never-paid' && !endsUnpaid.has(status.transaction_status)
    ? 'money went back that never came in by our books; look into it'
    : null;
}

export async function bookReturnedMoney(ground: Ground, status: MidtransStatus): Promise<void> {
  const returned = returnedBy(status);
  if (returned === null) return;
  const { kind, totalRupiah } = returned;
  const line = { renewalId: status.order_id, kind };
  const isRupiah = status.currency === 'IDR';
  // The notification of the payment may have been lost. A payment counts even if part of it has gone back since.
  if (isRupiah && !endsUnpaid.has(status.transaction_status)) await settle(ground, status);
  if (!isRupiah || totalRupiah === null) return ground.logger.error(line, unclear);
  const money = { provider: midtransName, providerPayment: status.transaction_id, kind, totalRupiah };
  const warning = warningFor(await bookReturn(ground.database, money), status);
  if (warning !== null) ground.logger.error(line, warning);
}
