import { type AccountId, ApiError, type DataOf, isRenewalId } from '@kurir/contracts';
import { type Database, readRenewal, type RenewalRow } from '@kurir/database';
import type { Handler } from '../verified-request.js';

type Shown = DataOf<'getRenewal'>;

export const showRenewal = (renewal: RenewalRow): Shown => ({
  renewal_id: renewal.id,
  plan: renewal.planName,
  duration_days: renewal.durationDays,
  price: renewal.priceRupiah,
  quota: renewal.quota,
  method: renewal.method,
  state: renewal.state,
  payment_url: renewal.paymentUrl,
  created_at: renewal.createdAt.toISOString(),
  expires_at: renewal.expiresAt.toISOString(),
  paid_at: renewal.paidAt?.toISOString() ?? null,
});

/** The account's renewal as it is now, or 404. */
export async function readShownRenewal(database: Database, accountId: AccountId, id: string): Promise<Shown> {
  const renewal = isRenewalId(id) ? await readRenewal(database, accountId, id) : null;
  if (renewal === null) throw new ApiError('RENEWAL_NOT_FOUND', 'The account has no renewal of this id.');
  return showRenewal(renewal);
}

export const getRenewal: Handler<'getRenewal'> = async ({ caller, params }, { database }) => ({
  data: await readShownRenewal(database, caller.accountId, params.renewal_id),
});
