/** The texts of the payment page, and the ways to pay that it offers. */
import type { Language, PaymentMethod, RenewalState } from '@kurir/contracts';

/** The sandbox pretends to take these. */
export const sandboxMethods = ['qris', 'bank_transfer', 'card'] as const satisfies readonly PaymentMethod[];

const indonesian = {
  locale: 'id-ID',
  thisLanguage: 'Bahasa Indonesia',
  title: 'Pembayaran paket',
  receipt: 'Bukti pembayaran',
  account: 'Akun',
  plan: 'Paket',
  duration: 'Masa aktif',
  period: 'Berlaku',
  price: 'Harga',
  paidAt: 'Dibayar',
  paidWith: 'Cara bayar',
  number: 'Nomor faktur',
  invoice: 'Unduh faktur (PDF)',
  howToPay: 'Cara bayar',
  pay: (amount: string) => `Bayar ${amount}`,
  states: {
    pending: 'Menunggu pembayaran',
    paid: 'Lunas. Terima kasih! Paket Anda sudah aktif.',
    expired: 'Kedaluwarsa. Mulai lagi dari halaman tagihan.',
    cancelled: 'Dibatalkan, karena ada tagihan yang lebih baru.',
  } satisfies Record<RenewalState, string>,
  test: 'Uji coba',
  sandbox: 'Ini pembayaran uji coba: cara bayarnya pura-pura, dan tidak ada uang sungguhan.',
  back: 'Kembali ke Kurir',
  notices: {
    unknown: {
      title: 'Halaman pembayaran tidak ditemukan',
      text: 'Periksa alamatnya, atau mulai lagi dari halaman tagihan.',
    },
    crossSite: {
      title: 'Pembayaran ditolak',
      text: 'Pembayaran ini dimulai dari situs lain. Buka halaman pembayaran, lalu bayar di sana.',
    },
    notRecorded: { title: 'Pembayaran belum tercatat', text: 'Kembali ke halaman pembayaran, lalu coba lagi.' },
  },
};

const english: typeof indonesian = {
  locale: 'en-GB',
  thisLanguage: 'English',
  title: 'Pay for your plan',
  receipt: 'Receipt',
  account: 'Account',
  plan: 'Plan',
  duration: 'Duration',
  period: 'Valid',
  price: 'Price',
  paidAt: 'Paid',
  paidWith: 'Paid with',
  number: 'Invoice number',
  invoice: 'Download the invoice (PDF)',
  howToPay: 'Payment method',
  pay: (amount) => `Pay ${amount}`,
  states: {
    pending: 'Awaiting payment',
    paid: 'Paid. Thank you! Your plan is active.',
    expired: 'Expired. Start again from the billing page.',
    cancelled: 'Cancelled, because there is a newer bill.',
  },
  test: 'Test',
  sandbox: 'This is a test payment: the methods are pretend, and no real money moves.',
  back: 'Back to Kurir',
  notices: {
    unknown: {
      title: 'There is no payment page here',
      text: 'Check the address, or start again from the billing page.',
    },
    crossSite: {
      title: 'The payment was refused',
      text: 'It was started from another site. Open the payment page and pay there.',
    },
    notRecorded: { title: 'The payment was not recorded', text: 'Go back to the payment page and try again.' },
  },
};

export const paymentTexts: Record<Language, typeof indonesian> = { id: indonesian, en: english };
