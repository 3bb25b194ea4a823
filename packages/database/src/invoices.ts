/** The exports for invoices. */
export {
  type InvoiceDetails,
  type InvoiceRow,
  listInvoices,
  readInvoice,
  readInvoiceDetails,
  writeInvoiceDetails,
} from './money/invoices.js';
