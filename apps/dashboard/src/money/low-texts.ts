import { defineTexts } from '../i18n/texts.js';

export const lowTexts = defineTexts(
  {
    low: {
      ended: 'No plan is running',
      noQuota: 'The quota is used up',
      littleQuota: 'The quota is nearly used up',
      fewDays: 'The plan is about to end',
    },
    notes: {
      ended: 'Messages are accepted only within a paid period.',
      noQuota: 'No message is accepted until you renew.',
      littleQuota: 'Renew in time, so that no message is refused.',
      fewDays: 'Renew in time, so that no message is refused.',
    },
    choose: 'Choose a plan',
    askOwner: 'Ask an owner of the account to renew.',
  },
  {
    low: {
      ended: 'Tidak ada paket yang berjalan',
      noQuota: 'Kuota sudah habis',
      littleQuota: 'Kuota hampir habis',
      fewDays: 'Masa paket hampir berakhir',
    },
    notes: {
      ended: 'Pesan hanya diterima dalam masa paket yang dibayar.',
      noQuota: 'Pesan baru diterima lagi setelah Anda memperpanjang.',
      littleQuota: 'Perpanjang sebelum habis, supaya tidak ada pesan yang ditolak.',
      fewDays: 'Perpanjang sebelum berakhir, supaya tidak ada pesan yang ditolak.',
    },
    choose: 'Pilih paket',
    askOwner: 'Minta pemilik akun memperpanjang.',
  },
);
