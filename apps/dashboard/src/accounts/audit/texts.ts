import { defineTexts } from '../../i18n/texts.js';

export const auditTexts = defineTexts(
  {
    title: 'Audit log',
    note: 'Who did what to this account, newest first. Nothing here can be changed or removed.',
    time: 'Time',
    who: 'Who',
    what: 'What',
    subject: 'To what',
    account: 'Account',
    empty: 'As soon as somebody changes something, it stands here.',
  },
  {
    title: 'Log audit',
    note: 'Siapa melakukan apa pada akun ini, terbaru dulu. Tidak ada yang bisa diubah atau dihapus.',
    time: 'Waktu',
    who: 'Siapa',
    what: 'Apa',
    subject: 'Terhadap',
    account: 'Akun',
    empty: 'Begitu seseorang mengubah sesuatu, tercatat di sini.',
  },
);
