/** The words on an invoice. */
import type { Language } from '@kurir/contracts';

const indonesian = {
  locale: 'id-ID',
  title: 'Faktur',
  seller: 'Penjual',
  billedTo: 'Ditagihkan kepada',
  taxNumber: 'NPWP',
  paidAt: 'Tanggal bayar',
  item: 'Uraian',
  plan: (name: string, days: number, quota: string) => `Paket ${name}, ${days} hari, ${quota}`,
  messages: (count: string) => `${count} pesan`,
  unlimited: 'pesan tanpa batas',
  period: 'Masa aktif',
  payment: 'Pembayaran',
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
  plan: (name, days, quota) => `Plan ${name}, ${days} ${days === 1 ? 'day' : 'days'}, ${quota}`,
  messages: (count) => `${count} messages`,
  unlimited: 'unlimited messages',
  period: 'Period',
  payment: 'Payment',
  total: 'Total',
  paid: 'PAID',
};

export const invoiceTexts: Record<Language, typeof indonesian> = { id: indonesian, en: english };
