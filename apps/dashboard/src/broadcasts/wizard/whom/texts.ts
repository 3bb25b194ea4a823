import { defineTexts } from '../../../i18n/texts.js';

export const whomTexts = defineTexts(
  {
    title: 'To whom does it go?',
    kinds: { file: 'A file', paste: 'Paste numbers', contacts: 'My contacts' },
    list: 'List',
    allContacts: 'All contacts',
    search: 'Name or number has',
    attribute: 'Only with this attribute',
    attributeHint: 'Such as kota. Empty: it does not matter.',
    attributeValue: 'Value of the attribute',
    consent: 'Only people who agreed to get messages',
    noContacts: 'No contact fits. Choose another list, or paste numbers.',
    columns: 'Columns',
    paste: 'Numbers',
    pasteHint:
      'One number a line. You can also copy cells from a spreadsheet, with names and a first line that says what each column is.',
    pastePlaceholder: '0812 3456 7890\n0813 1111 2222',
    read: (count: string) => `Numbers read: ${count}`,
    unread: (count: string, lines: string) => `Lines without a number: ${count} (${lines}). Nothing goes to them.`,
    spoiledLines: (lines: string) => `Spoiled numbers: ${lines}.`,
    line: (line: string) => `line ${line}`,
    more: (count: string) => `and ${count} more`,
  },
  {
    title: 'Dikirim ke siapa?',
    kinds: { file: 'Dari berkas', paste: 'Tempel nomor', contacts: 'Kontak saya' },
    list: 'Daftar',
    allContacts: 'Semua kontak',
    search: 'Nama atau nomor berisi',
    attribute: 'Hanya yang punya data ini',
    attributeHint: 'Misalnya kota. Kosong: tidak disaring.',
    attributeValue: 'Isi datanya',
    consent: 'Hanya yang sudah setuju menerima pesan',
    noContacts: 'Tidak ada kontak yang cocok. Pilih daftar lain, atau tempel nomor.',
    columns: 'Kolom',
    paste: 'Nomor',
    pasteHint:
      'Satu nomor per baris. Bisa juga menyalin sel dari Excel beserta namanya, asal baris pertama berisi judul kolom.',
    pastePlaceholder: '0812 3456 7890\n0813 1111 2222',
    read: (count: string) => `${count} nomor terbaca`,
    unread: (count: string, lines: string) =>
      `${count} baris tanpa nomor (${lines}). Baris ini tidak dikirimi apa-apa.`,
    spoiledLines: (lines: string) => `Nomor yang rusak: ${lines}.`,
    line: (line: string) => `baris ${line}`,
    more: (count: string) => `dan ${count} lagi`,
  },
);
