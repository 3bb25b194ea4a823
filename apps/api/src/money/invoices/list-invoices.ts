import { listInvoices as readPage } from '@kurir/database/invoices';
import type { Handler } from '../../operations/operation-request.js';
import { showInvoice, showParty } from './show-invoice.js';

export const listInvoices: Handler<'listInvoices'> = async ({ caller, query }, { database, seller }) => {
  const page = await readPage(database, caller.accountId, query);
  return { invoices: page.rows.map(showInvoice), next_cursor: page.nextCursor, seller: showParty(seller) };
};
