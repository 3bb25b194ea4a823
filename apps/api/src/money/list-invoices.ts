import type { OperationData } from '@kurir/contracts/dashboard';
import { type InvoiceRow, listInvoices as readPage } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

/**
 * Makes a number that people can read aloud. It is unique, because the last characters of a renewal's id are random.
 */
function numberOf({ id, paidAt }: InvoiceRow): string {
  return `KRR-${paidAt.toISOString().slice(0, 10).replaceAll('-', '')}-${id.slice(-8).toUpperCase()}`;
}

const showInvoice = (invoice: InvoiceRow): OperationData<'listInvoices'>['invoices'][number] => ({
  invoice_id: invoice.id,
  number: numberOf(invoice),
  account_name: invoice.accountName,
  plan: invoice.planName,
  duration_days: invoice.durationDays,
  quota: invoice.quota,
  amount: invoice.amountRupiah,
  provider: invoice.provider,
  provider_payment: invoice.providerPayment,
  paid_at: invoice.paidAt.toISOString(),
  period_start: invoice.periodStart.toISOString(),
  period_end: invoice.periodEnd.toISOString(),
});

export const listInvoices: Handler<'listInvoices'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, query);
  return { invoices: page.rows.map(showInvoice), next_cursor: page.nextCursor };
};
