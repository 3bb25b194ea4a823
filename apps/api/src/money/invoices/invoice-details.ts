import { readInvoiceDetails as read, writeInvoiceDetails } from '@kurir/database/invoices';
import type { Handler } from '../../operations/operation-request.js';
import { showParty } from './show-invoice.js';

export const readInvoiceDetails: Handler<'readInvoiceDetails'> = async ({ caller }, { database }) =>
  showParty(await read(database, caller.accountId));

export const setInvoiceDetails: Handler<'setInvoiceDetails'> = async ({ caller, auditAs, body }, { database }) => {
  const details = { name: body.name, taxNumber: body.tax_number, address: body.address };
  await writeInvoiceDetails(database, caller.accountId, details, auditAs('account.invoice_details_changed'));
  return body;
};
