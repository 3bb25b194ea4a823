import { type Drawn, drawInvoice } from './draw-invoice.js';
import { invoiceNumber } from './invoice-number.js';

export type InvoiceFile = { readonly name: string; readonly content: Buffer };

/** The whole PDF, which has one page, and its name. */
export async function invoiceFile(drawn: Drawn): Promise<InvoiceFile> {
  const parts: Uint8Array[] = [];
  for await (const part of drawInvoice(drawn)) parts.push(part);
  return { name: `${invoiceNumber(drawn.invoice)}.pdf`, content: Buffer.concat(parts) };
}
