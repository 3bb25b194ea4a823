/** Takes payments on a page of Midtrans Snap. The order has the id of the renewal. */
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
      // The page expires together with the renewal.
      expiryHours: limits.renewalPaymentHours,
    }),
});
