import type { OperationData } from '@kurir/contracts/dashboard';
import type { RenewalRow } from '@kurir/database';

type Shown = OperationData<'getRenewal'>;

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
