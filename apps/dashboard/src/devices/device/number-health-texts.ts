import { defineTexts } from '../../i18n/texts.js';

export const numberHealthTexts = defineTexts(
  {
    title: 'Health of the number',
    notes: {
      good: 'The network and people take its messages as usual.',
      watch: 'A first sign. Nothing changes yet.',
      at_risk: 'Broadcasts give its new contacts to healthier devices, if they can take them.',
      restricted: 'The network limits this account at present.',
    },
    reasons: {
      banned: () => 'The network has banned the account. Open the app on its phone: it says why, and takes an appeal.',
      network_restriction: () =>
        'The network lets it write only to people it knows. Wait until this ends, and do not write to strangers with the phone.',
      network_warning: () =>
        'The network warns that it writes to many new contacts. Write to fewer of them for some days.',
      failures: (percent: string) =>
        `${percent} % of its messages failed or were refused in the last 7 days. Check the numbers of your list before you send.`,
      opt_outs: (percent: string) =>
        `${percent} % of its recipients opted out in the last 7 days. Write to people who asked for it, and less often.`,
      fewer_delivered: (percent: string) =>
        `${percent} points fewer of its messages reach a phone than before. People may have blocked it. Send less for some days.`,
    },
    days: 'The last 30 days',
    chart: 'A bar for each of the last 30 days: sent, delivered and failed messages',
    asTable: 'As a table',
    day: 'Day (UTC)',
    sent: 'Sent',
    delivered: 'Delivered',
    bad: 'Failed or refused',
    unknown: 'Unknown',
    answers: 'Answers',
    optedOut: 'Opted out',
    counted: 'Counted',
    notCounted: 'Not counted yet. A few minutes after the first message, the days appear here.',
  },
  {
    title: 'Kesehatan nomor',
    notes: {
      good: 'Jaringan dan orang menerima pesannya seperti biasa.',
      watch: 'Baru gejala awal. Belum ada yang berubah.',
      at_risk: 'Kontak baru dari siaran dialihkan ke perangkat yang lebih sehat, selama masih muat.',
      restricted: 'Jaringan sedang membatasi akun ini.',
    },
    reasons: {
      banned: () =>
        'Jaringan memblokir akun ini. Buka aplikasi di ponselnya: alasannya ada di sana, dan bisa minta ditinjau.',
      network_restriction: () =>
        'Jaringan hanya mengizinkannya menulis ke orang yang dikenal. Tunggu sampai selesai, dan jangan menulis ke orang asing lewat ponselnya.',
      network_warning: () => 'Jaringan memperingatkan: terlalu banyak kontak baru. Kurangi dulu beberapa hari.',
      failures: (percent: string) =>
        `${percent} % pesannya gagal atau ditolak dalam 7 hari terakhir. Periksa nomor di daftar sebelum mengirim.`,
      opt_outs: (percent: string) =>
        `${percent} % penerimanya menolak promosi dalam 7 hari terakhir. Kirim ke orang yang memintanya saja, dan lebih jarang.`,
      fewer_delivered: (percent: string) =>
        `Pesan yang sampai ke ponsel turun ${percent} poin. Mungkin nomornya diblokir orang. Kurangi kiriman beberapa hari.`,
    },
    days: '30 hari terakhir',
    chart: 'Satu batang untuk tiap hari dari 30 hari terakhir: pesan terkirim, sampai, dan gagal',
    asTable: 'Sebagai tabel',
    day: 'Hari (UTC)',
    sent: 'Terkirim',
    delivered: 'Tersampaikan',
    bad: 'Gagal atau ditolak',
    unknown: 'Tidak diketahui',
    answers: 'Balasan',
    optedOut: 'Menolak promosi',
    counted: 'Dihitung',
    notCounted: 'Belum dihitung. Beberapa menit setelah pesan pertama, hari-harinya tampil di sini.',
  },
);
