import { listRenewals as readPage, type RenewalRow } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { invoiceNumber } from '../payments/invoices/invoice-number.js';
import { showRenewal } from './show-renewal.js';

const show = (row: RenewalRow) => ({
  ...showRenewal(row),
  invoice_number: row.paidAt === null ? null : invoiceNumber({ id: row.id, paidAt: row.paidAt }),
});

export const listRenewals: Handler<'listRenewals'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, query);
  return { renewals: page.rows.map(show), next_cursor: page.nextCursor };
};
