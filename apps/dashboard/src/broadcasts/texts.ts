import { defineTexts } from '../i18n/texts.js';

export const broadcastTexts = defineTexts(
  {
    title: 'Broadcasts',
    note: 'One message to many people, each with their own text. Kurir spreads it over your devices, and you can pause at any time.',
    create: 'New broadcast',
    emptyTitle: 'Tell many people at once',
    emptyNote:
      'A broadcast sends one message to a whole list, such as your customers. You see before the start who gets it, and after it what became of each message.',
    more: 'Load more',
    viewerOnly: 'You can look. Developers of the account can send broadcasts.',
    progress: (name: string) => `Progress of ${name}`,
    sentOf: (sent: string, planned: string) => `${sent} of ${planned} sent`,
    recipients: (count: string) => `${count} recipients`,
    created: 'Created',
    started: 'Started',
    ended: 'Ended',
    cancelled: 'Cancelled',
    startsAt: (time: string) => `Starts ${time}`,
  },
  {
    title: 'Siaran',
    note: 'Satu pesan untuk banyak orang, masing-masing dengan teksnya sendiri. Kurir membaginya ke perangkat Anda, dan Anda bisa menjedanya kapan saja.',
    create: 'Siaran baru',
    emptyTitle: 'Kabari banyak orang sekaligus',
    emptyNote:
      'Siaran mengirim satu pesan ke seluruh daftar, misalnya semua pelanggan Anda. Sebelum dikirim Anda lihat siapa saja yang menerima. Sesudahnya Anda lihat hasil tiap pesan.',
    more: 'Muat lagi',
    viewerOnly: 'Anda bisa melihat saja. Yang bisa mengirim siaran adalah pengembang di akun ini.',
    progress: (name: string) => `Kemajuan ${name}`,
    sentOf: (sent: string, planned: string) => `${sent} dari ${planned} terkirim`,
    recipients: (count: string) => `${count} penerima`,
    created: 'Dibuat',
    started: 'Mulai',
    ended: 'Selesai',
    cancelled: 'Dibatalkan',
    startsAt: (time: string) => `Mulai ${time}`,
  },
);
