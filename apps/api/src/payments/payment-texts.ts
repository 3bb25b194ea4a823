/** The texts of the payment page. */
import type { Language, RenewalState } from '@kurir/contracts';

const indonesian = {
  locale: 'id-ID',
  thisLanguage: 'Bahasa Indonesia',
  title: 'Perpanjangan paket',
  receipt: 'Bukti pembayaran',
  account: 'Akun',
  plan: 'Paket',
  duration: 'Masa aktif',
  days: (days: number) => `${days} hari`,
  price: 'Harga',
  paidAt: 'Dibayar',
  number: 'Nomor',
  pay: (amount: string) => `Bayar ${amount}`,
  states: {
    pending: 'Menunggu pembayaran',
    paid: 'Lunas. Terima kasih! Paket Anda sudah diperpanjang.',
    expired: 'Kedaluwarsa. Buat perpanjangan baru di halaman tagihan.',
    cancelled: 'Dibatalkan, karena ada perpanjangan yang lebih baru.',
  } satisfies Record<RenewalState, string>,
  sandbox: 'Pembayaran uji coba: tidak ada uang sungguhan.',
  back: 'Kembali ke Kurir',
  notices: {
    unknown: {
      title: 'Halaman pembayaran tidak ditemukan',
      text: 'Periksa alamatnya, atau buat perpanjangan baru di halaman tagihan.',
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
  title: 'Plan renewal',
  receipt: 'Receipt',
  account: 'Account',
  plan: 'Plan',
  duration: 'Duration',
  days: (days) => `${days} days`,
  price: 'Price',
  paidAt: 'Paid',
  number: 'Number',
  pay: (amount) => `Pay ${amount}`,
  states: {
    pending: 'Awaiting payment',
    paid: 'Paid. Thank you! Your plan has been renewed.',
    expired: 'Expired. Create a new renewal on the billing page.',
    cancelled: 'Cancelled, because there is a newer renewal.',
  },
  sandbox: 'Sandbox payment: no real money moves.',
  back: 'Back to Kurir',
  notices: {
    unknown: {
      title: 'There is no payment page here',
      text: 'Check the address, or create a new renewal on the billing page.',
    },
    crossSite: {
      title: 'The payment was refused',
      text: 'It was started from another site. Open the payment page and pay there.',
    },
    notRecorded: { title: 'The payment was not recorded', text: 'Go back to the payment page and try again.' },
  },
};

export const paymentTexts: Record<Language, typeof indonesian> = { id: indonesian, en: english };
