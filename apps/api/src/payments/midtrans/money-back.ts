/**
 * What went back of a payment: a refund, a chargeback, or a capture that was cancelled before it was settled. It is booked
 * once, however often it is told, and a person is told: the period that was bought stays open until an operator ends it.
 */
import { bookReturn, type ReturnedMoney, type ReturnOutcome } from '@kurir/database';
import type { Ground } from '../../http/ground.js';
import type { MidtransStatus } from './midtrans-api.js';
import { midtransName } from './midtrans-provider.js';
import { settle } from './money-in.js';

type Returned = Pick<ReturnedMoney, 'kind'> & { readonly totalRupiah: number | 'all' | null };

/** Money did go back: a list that sums to nothing says nothing, and then the transaction's own total counts. */
function sumOf({ refunds = [], refund_amount: total }: MidtransStatus): number | null {
  const listed = refunds.reduce((sum, { refund_amount: part }) => sum + part, 0);
  return listed || total || null;
}

/** Null while nothing went back. `totalRupiah` null: how much, Midtrans did not say. */
function returnedBy(status: MidtransStatus): Returned | null {
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

const unclear = 'money went back to the payer and is not booked, for how much is not clear; look into it';

/** What a person is told; null: nothing new. */
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
  // Nobody may have heard when it came in: money that arrives counts, also when some of it has gone back since.
  if (isRupiah && !endsUnpaid.has(status.transaction_status)) await settle(ground, status);
  if (!isRupiah || totalRupiah === null) return ground.logger.error(line, unclear);
  const money = { provider: midtransName, providerPayment: status.transaction_id, kind, totalRupiah };
  const warning = warningFor(await bookReturn(ground.database, money), status);
  if (warning !== null) ground.logger.error(line, warning);
}
