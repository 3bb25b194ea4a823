/** The ways in which people pay a renewal, as the ledger and the invoices name them. */
export const paymentMethods = ['qris', 'bank_transfer', 'card', 'e_wallet'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
