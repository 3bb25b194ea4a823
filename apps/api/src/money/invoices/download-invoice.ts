import { ApiError, isRenewalId } from '@kurir/contracts';
import { readInvoice } from '@kurir/database/invoices';
import { writeFile } from '../../http/files/write-file.js';
import type { Handler } from '../../operations/operation-request.js';
import { drawInvoice } from '../../payments/invoices/draw-invoice.js';
import { invoiceNumber } from '../../payments/invoices/invoice-number.js';

export const downloadInvoice: Handler<'downloadInvoice'> = async (request, { database, seller }, streamed) => {
  const { caller, params, query, callerGone } = request;
  const { invoice_id: id } = params;
  const invoice = isRenewalId(id) ? await readInvoice(database, caller.accountId, id) : null;
  if (invoice === null) throw new ApiError('RENEWAL_NOT_FOUND', 'The account has no invoice with this id.');
  const file = drawInvoice({ invoice, seller, language: query.language });
  await writeFile(file, { type: 'application/pdf', name: `${invoiceNumber(invoice)}.pdf` }, streamed, callerGone());
};
