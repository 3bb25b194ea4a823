/**
 * What a payment provider does for us. It takes the money on a page of its own and reports it by calling back,
 * possibly late, several times and out of order; `settleRenewal` bears that.
 */
export type PageRequest = {
  /** The renewal's id: the provider reports it back. */
  readonly id: string;
  /** Secret part of an address that only the payer is given. */
  readonly pageToken: string;
  readonly amountRupiah: number;
  readonly description: string;
};

export interface PaymentProvider {
  /** Stored with every payment. */
  readonly name: string;
  /** The address of a page on which a person can pay. Rejects when the provider does not answer as it should. */
  openPage(request: PageRequest): Promise<string>;
}
