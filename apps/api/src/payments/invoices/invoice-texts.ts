/** The words on an invoice. The page for paying shares some of them. */
import type { Language, PaymentMethod } from '@kurir/contracts';
import { sandboxName } from './sandbox-name.js';

const indonesian = {
  locale: 'id-ID',
  title: 'Faktur',
  seller: 'Penjual',
  billedTo: 'Ditagihkan kepada',
  taxNumber: 'NPWP',
  paidAt: 'Tanggal bayar',
  item: 'Uraian',
  days: (days: number) => `${days} hari`,
  rest: (days: number) => `sisa ${days} hari`,
  plan: (name: string, days: string, quota: string) => `Paket ${name}, ${days}, ${quota}`,
  messages: (count: string) => `${count} pesan`,
  unlimited: 'pesan tanpa batas',
  period: 'Masa aktif',
  payment: 'Pembayaran',
  methods: {
    qris: 'QRIS',
    bank_transfer: 'Transfer bank (virtual account)',
    card: 'Kartu kredit atau debit',
    e_wallet: 'E-wallet',
  } satisfies Record<PaymentMethod, string>,
  test: 'uji coba, tanpa uang sungguhan',
  total: 'Total',
  paid: 'LUNAS',
};

const english: typeof indonesian = {
  locale: 'en-GB',
  title: 'Invoice',
  seller: 'Seller',
  billedTo: 'Billed to',
  taxNumber: 'Tax number',
  paidAt: 'Paid on',
  item: 'Description',
  days: (days) => `${days} ${days === 1 ? 'day' : 'days'}`,
  rest: (days) => `${days} ${days === 1 ? 'day' : 'days'} left over`,
  plan: (name, days, quota) => `Plan ${name}, ${days}, ${quota}`,
  messages: (count) => `${count} messages`,
  unlimited: 'unlimited messages',
  period: 'Period',
  payment: 'Payment',
  methods: {
    qris: 'QRIS',
    bank_transfer: 'Bank transfer (virtual account)',
    card: 'Credit or debit card',
    e_wallet: 'E-wallet',
  },
  test: 'test, no real money',
  total: 'Total',
  paid: 'PAID',
};

export const invoiceTexts: Record<Language, typeof indonesian> = { id: indonesian, en: english };

type Period = { readonly durationDays: number; readonly periodStart: Date; readonly periodEnd: Date };

const dayMs = 86_400_000;

/** The days of the plan, and the days of the period before that it goes on with: `30 days + 7 days left over`. */
export function daysText({ durationDays, periodStart, periodEnd }: Period, language: Language): string {
  const t = invoiceTexts[language];
  const rest = Math.round((periodEnd.getTime() - periodStart.getTime()) / dayMs) - durationDays;
  return rest > 0 ? `${t.days(durationDays)} + ${t.rest(rest)}` : t.days(durationDays);
}

type Paid = {
  readonly method: PaymentMethod | null;
  readonly provider: string;
  readonly providerPayment: string;
};

/** How it was paid. The provider's number of a real payment stands beside it, so that a person can find it there. */
export function paidWith({ method, provider, providerPayment }: Paid, language: Language): string {
  const t = invoiceTexts[language];
  const name = method === null ? null : t.methods[method];
  return provider === sandboxName
    ? [name, `(${t.test})`].filter((part) => part !== null).join(' ')
    : `${name ?? provider} · ${providerPayment}`;
}
