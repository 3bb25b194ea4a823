/** The mail to an owner after a renewal was paid. The invoice comes with it as PDF. */
import type { InvoiceRow } from '@kurir/database/invoices';
import type { Both, Letter } from '../mail/letter.js';
import { dayOf, quoted } from '../mail/moments.js';
import { invoiceNumber } from '../payments/invoices/invoice-number.js';
import { daysText, paidWith } from '../payments/invoices/invoice-texts.js';
import { rupiah } from '../payments/invoices/rupiah.js';
import type { Claimed } from './claimed.js';

function periodOf(invoice: InvoiceRow): Both {
  const [mulai, start] = dayOf(invoice.periodStart);
  const [akhir, end] = dayOf(invoice.periodEnd);
  return [
    `Masa aktif: ${mulai} – ${akhir} (${daysText(invoice, 'id')})`,
    `Period: ${start} – ${end} (${daysText(invoice, 'en')})`,
  ];
}

export function receiptLetter(
  { accountName, accountId }: Pick<Claimed, 'accountName' | 'accountId'>,
  invoice: InvoiceRow,
  publicUrl: string,
): Letter {
  const account = quoted(accountName, accountId);
  const plan = quoted(invoice.planName, invoice.id);
  const number = invoiceNumber(invoice);
  const amounts: Both = [rupiah(invoice.amountRupiah, 'id'), rupiah(invoice.amountRupiah, 'en')];
  return {
    subject: [`Pembayaran ${amounts[0]} diterima`, `Payment of ${amounts[1]} received`],
    paragraphs: [
      [
        `Terima kasih. Paket ${plan} untuk akun ${account} sudah dibayar dan aktif.`,
        `Thank you. The plan ${plan} of the account ${account} is paid and active.`,
      ],
      ['Fakturnya terlampir sebagai PDF.', 'The invoice is attached as PDF.'],
    ],
    list: [
      [`Nomor faktur: ${number}`, `Invoice number: ${number}`],
      [`Jumlah: ${amounts[0]}`, `Amount: ${amounts[1]}`],
      [`Cara bayar: ${paidWith(invoice, 'id')}`, `Paid with: ${paidWith(invoice, 'en')}`],
      periodOf(invoice),
    ],
    link: { url: `${publicUrl}/app/billing`, label: ['Buka tagihan', 'Open billing'] },
    why: [
      `Anda menerima email ini karena Anda pemilik akun ${account}.`,
      `You get this email because you are an owner of the account ${account}.`,
    ],
    choicesUrl: `${publicUrl}/app/notices`,
  };
}
