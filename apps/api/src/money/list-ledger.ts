import { listAccountLedger as readPage } from '@kurir/database';
import { invoiceNumber } from '../payments/invoices/invoice-number.js';
import type { Handler } from '../operations/operation-request.js';

export const listLedger: Handler<'listLedger'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, query);
  const entries = page.rows.map((row) => ({
    entry_id: row.id,
    renewal_id: row.renewalId,
    invoice_number: row.renewalPaidAt === null ? null : invoiceNumber({ id: row.renewalId, paidAt: row.renewalPaidAt }),
    kind: row.kind,
    amount: row.amountRupiah,
    provider: row.provider,
    provider_payment: row.providerPayment,
    created_at: row.createdAt.toISOString(),
  }));
  return { entries, next_cursor: page.nextCursor };
};
