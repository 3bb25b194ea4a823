/**
 * The contract of a payment provider. It takes the payment on a page of its own and reports it by a callback. Callbacks
 * may come late, repeatedly and out of order, and `settleRenewal` allows for that.
 */
export type PageRequest = {
  /** The id of the renewal. The provider's callback names it. */
  readonly id: string;
  /** The secret part of an address that only the payer gets. */
  readonly pageToken: string;
  readonly amountRupiah: number;
  readonly description: string;
};

export interface PaymentProvider {
  /** Every payment is stored with this name. */
  readonly name: string;
  /** Resolves with the address of a page on which a person can pay. Rejects if the provider fails. */
  openPage(request: PageRequest): Promise<string>;
}
