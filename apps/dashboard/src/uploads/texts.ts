import { defineTexts } from '../i18n/texts.js';

export const uploadTexts = defineTexts(
  {
    choose: 'Choose a CSV file',
    chooseNote: 'From Excel or Google Sheets, with one person a row.',
    dropNote: 'You can also drop it here.',
    another: 'Choose another file',
    sending: (share: string) => `Sending the file: ${share}%`,
    phone: 'The phone numbers are in the column',
    choosePhone: 'Choose the column',
    noPhone: 'No column looks like phone numbers. Choose the right one.',
    firstRows: 'The first people',
    spoiledTitle: 'A spreadsheet has spoiled some numbers',
    spoiled:
      'Numbers such as 6.28E+12 have lost their last digits. Format the column as text in the spreadsheet, take the numbers from the first source again, and save it as CSV.',
    fewPhones: 'Few cells of this column look like phone numbers. Is it the right one?',
  },
  {
    choose: 'Pilih berkas CSV',
    chooseNote: 'Dari Excel atau Google Sheets, satu orang per baris.',
    dropNote: 'Bisa juga ditarik ke sini.',
    another: 'Pilih berkas lain',
    sending: (share: string) => `Mengirim berkas: ${share}%`,
    phone: 'Nomor teleponnya ada di kolom',
    choosePhone: 'Pilih kolomnya',
    noPhone: 'Tidak ada kolom yang mirip nomor telepon. Pilih kolom yang benar.',
    firstRows: 'Contoh penerima',
    spoiledTitle: 'Ada nomor yang dirusak Excel',
    spoiled:
      'Nomor seperti 6,28E+12 kehilangan angka belakangnya. Di Excel ubah format kolomnya jadi Teks, ambil lagi nomornya dari sumber pertama, lalu simpan sebagai CSV.',
    fewPhones: 'Isi kolom ini jarang yang mirip nomor telepon. Sudah benar kolomnya?',
  },
);
