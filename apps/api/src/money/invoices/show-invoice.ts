import type { OperationData } from '@kurir/contracts/dashboard';
import type { InvoiceDetails, InvoiceRow } from '@kurir/database/invoices';
import { invoiceNumber } from '../../payments/invoices/invoice-number.js';

export const showParty = ({ name, taxNumber, address }: InvoiceDetails) => ({ name, tax_number: taxNumber, address });

export const showInvoice = (invoice: InvoiceRow): OperationData<'listInvoices'>['invoices'][number] => ({
  invoice_id: invoice.id,
  number: invoiceNumber(invoice),
  account_name: invoice.accountName,
  billed_to: showParty(invoice.billedTo),
  plan: invoice.planName,
  duration_days: invoice.durationDays,
  quota: invoice.quota,
  amount: invoice.amountRupiah,
  method: invoice.method,
  provider: invoice.provider,
  provider_payment: invoice.providerPayment,
  paid_at: invoice.paidAt.toISOString(),
  period_start: invoice.periodStart.toISOString(),
  period_end: invoice.periodEnd.toISOString(),
});
