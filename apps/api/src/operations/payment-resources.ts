import type { Seller } from '../payments/invoices/draw-invoice.js';
import type { MidtransApi } from '../payments/midtrans/midtrans-api.js';
import type { PaymentProvider } from '../payments/payment-provider.js';
import type { SandboxProvider } from '../payments/sandbox-provider.js';

export type PaymentResources = {
  readonly seller: Seller;
  /** The provider that takes payments for renewals; null if none is set up. */
  readonly payments: PaymentProvider | null;
  /** Set if Midtrans is the provider. */
  readonly midtrans: { readonly midtrans: MidtransApi; readonly serverKey: string } | null;
  /** The built-in provider, and the secret that signs its callbacks. */
  readonly sandbox: { readonly provider: SandboxProvider; readonly callbackSecret: string };
};
