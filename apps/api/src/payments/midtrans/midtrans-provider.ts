/** Payments through Midtrans Snap: a page of theirs, made under the renewal's id. */
import { limits } from '@kurir/contracts';
import type { Addresses } from '../../http/addresses.js';
import type { PaymentProvider } from '../payment-provider.js';
import type { MidtransApi } from './midtrans-api.js';

export const midtransName = 'midtrans';
export const midtransCallbackPath = `/callbacks/payments/${midtransName}`;

export const createMidtransProvider = (midtrans: MidtransApi, addresses: Addresses): PaymentProvider => ({
  name: midtransName,
  openPage: ({ id, amountRupiah, description }) =>
    midtrans.createTransaction({
      orderId: id,
      amountRupiah,
      itemName: description,
      notificationUrl: addresses.publicUrl() + midtransCallbackPath,
      finishUrl: `${addresses.publicUrl()}/app/billing`,
      // As long as the renewal waits for it.
      expiryHours: limits.renewalPaymentHours,
    }),
});
