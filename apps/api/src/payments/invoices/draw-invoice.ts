/** Draws an invoice as a PDF of one page, A4. Sizes are points. */
import type { Language } from '@kurir/contracts';
import type { InvoiceDetails, InvoiceRow } from '@kurir/database/invoices';
import PdfFile from 'pdfkit';
import { rupiah } from './rupiah.js';
import { daysText, invoiceTexts, paidWith } from './invoice-texts.js';
import { invoiceNumber } from './invoice-number.js';

const margin = 56;
const width = 595.28 - 2 * margin;
const half = width / 2 - 12;
const ink = '#111827';
const soft = '#4b5563';
const line = '#d1d5db';

/** The operator of the gateway, who sells its plans. */
export type Seller = InvoiceDetails;

export type Drawn = { readonly invoice: InvoiceRow; readonly seller: Seller; readonly language: Language };
type Page = typeof PdfFile.prototype;

/** The fonts that every reader of PDF has know only these characters. Any other becomes a question mark. */
const known = /^[\n\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u;
const drawable = (text: string): string =>
  [...text.normalize('NFC')]
    .map((char) => (known.test(char) ? char : (char.normalize('NFD')[0] ?? char)))
    .map((char) => (known.test(char) ? char : '?'))
    .join('');

/** Days are those of Jakarta, like the prices. */
const dayFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Asia/Jakarta' });

function linesOf({ name, taxNumber, address }: InvoiceDetails, taxWord: string): string[] {
  const tax = taxNumber === null ? null : `${taxWord} ${taxNumber}`;
  return [name, address, tax].filter((text) => text !== null);
}

/** Draws a heading and lines under it. Returns where they end. */
function drawParty(page: Page, heading: string, lines: readonly string[], at: { x: number; y: number }): number {
  page.font('Helvetica').fontSize(9).fillColor(soft).text(drawable(heading), at.x, at.y, { width: half });
  page.moveDown(0.3).fontSize(10.5).fillColor(ink);
  for (const text of lines) page.text(drawable(text), at.x, page.y, { width: half });
  return page.y;
}

function drawRule(page: Page, y: number): number {
  page
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .lineWidth(0.75)
    .strokeColor(line)
    .stroke();
  return y + 10;
}

/** Draws a name at the left and a value at the right. Returns where the row ends. */
function drawRow(page: Page, y: number, name: string, value: string): number {
  page.fillColor(soft).text(drawable(name), margin, y, { width: half });
  const left = page.y;
  page.fillColor(ink).text(drawable(value), margin + half, y, { width: width - half, align: 'right' });
  return Math.max(left, page.y) + 6;
}

function drawHead(page: Page, { invoice, language }: Drawn): number {
  const t = invoiceTexts[language];
  page.font('Helvetica-Bold').fontSize(20).fillColor(ink).text('Kurir', margin, margin);
  page.text(t.title, margin, margin, { width, align: 'right' });
  page.font('Helvetica').fontSize(10.5).fillColor(soft).text(invoiceNumber(invoice), { width, align: 'right' });
  return page.y + 24;
}

function drawParties(page: Page, { invoice, seller, language }: Drawn, y: number): number {
  const t = invoiceTexts[language];
  const sold = linesOf(seller, t.taxNumber);
  const billed = linesOf({ ...invoice.billedTo, name: invoice.billedTo.name ?? invoice.accountName }, t.taxNumber);
  const left = sold.length === 0 ? y : drawParty(page, t.seller, sold, { x: margin, y });
  const x = sold.length === 0 ? margin : margin + half + 24;
  return Math.max(left, drawParty(page, t.billedTo, billed, { x, y })) + 28;
}

function drawRows(page: Page, { invoice, language }: Drawn, top: number): number {
  const t = invoiceTexts[language];
  const day = dayFormat(t.locale);
  const quota =
    invoice.quota === null ? t.unlimited : t.messages(new Intl.NumberFormat(t.locale).format(invoice.quota));
  const rows = [
    [t.paidAt, day.format(invoice.paidAt)],
    [t.item, t.plan(invoice.planName, daysText(invoice, language), quota)],
    [t.period, `${day.format(invoice.periodStart)} – ${day.format(invoice.periodEnd)}`],
    [t.payment, paidWith(invoice, language)],
  ] as const;
  page.font('Helvetica').fontSize(10.5);
  return rows.reduce((y, [name, value]) => drawRow(page, drawRule(page, y), name, value), top);
}

/** Returns the bytes of the file as they are made. */
export function drawInvoice(given: Drawn): AsyncIterable<Uint8Array> {
  const { invoice, language } = given;
  const t = invoiceTexts[language];
  const title = `${t.title} ${invoiceNumber(invoice)}`;
  const page = new PdfFile({
    size: 'A4',
    margin,
    lang: t.locale,
    displayTitle: true,
    info: { Title: title, Creator: 'Kurir', CreationDate: invoice.paidAt },
  });
  const end = drawRows(page, given, drawParties(page, given, drawHead(page, given)));
  page.font('Helvetica-Bold').fontSize(13);
  drawRow(page, drawRule(page, end), `${t.total} (${t.paid})`, rupiah(invoice.amountRupiah, language));
  page.end();
  return page;
}
