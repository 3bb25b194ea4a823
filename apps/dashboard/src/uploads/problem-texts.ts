/** Sentences for lists that cannot be read. Each says what to do next. */
import type { AudienceProblem } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

/** The page finds these before it sends a file. */
export type FileTrouble = 'workbook' | 'empty' | 'too_big' | 'gone';

type ListProblem =
  | FileTrouble
  | AudienceProblem
  | 'not_text'
  | 'too_many_columns'
  | 'row_too_long'
  | 'quote_not_closed';

export const problemTexts = defineTexts<Record<ListProblem, string>>(
  {
    workbook:
      'This is a workbook of Excel or another program. Open it there, choose File → Save as → “CSV UTF-8”, and choose the new file here. In Google Sheets: File → Download → CSV.',
    empty: 'The file is empty. Open it and look whether the list is in it, then save it again.',
    too_big: 'The file is larger than 200 MB. Keep only the columns that you need, or split it.',
    gone: 'The phone cannot read this file any more. Choose it again in the first step.',
    upload_gone: 'The file is not kept any more. Choose it again in the first step.',
    too_many_rows: 'The list has more than 1,000,000 people. Make several broadcasts.',
    column_missing: 'The file does not have the chosen column any more. Choose the file again.',
    too_slow: 'Reading the list took too long. Choose the contacts by a list, or send them as a file.',
    internal_error: 'Something broke on our side. Try again, and tell us if it happens again.',
    not_text: 'This file is no table. In the spreadsheet choose File → Save as → “CSV UTF-8”.',
    too_many_columns: 'The file has too many columns. Keep only those that you need.',
    row_too_long: 'A row is too long. Perhaps a quotation mark is not closed. Look at the rows, then save again.',
    quote_not_closed: 'The file ends inside quotation marks. Remove the open one, then save again.',
  },
  {
    workbook:
      'Ini berkas Excel, bukan CSV. Buka berkasnya, pilih File → Simpan Sebagai → “CSV UTF-8”, lalu pilih berkas barunya di sini. Di Google Sheets: File → Download → CSV.',
    empty: 'Berkasnya kosong. Buka dan lihat apakah daftarnya ada di dalamnya, lalu simpan lagi.',
    too_big: 'Berkasnya lebih dari 200 MB. Sisakan kolom yang perlu saja, atau bagi dua.',
    gone: 'Ponsel tidak bisa lagi membaca berkas ini. Pilih lagi berkasnya di langkah pertama.',
    upload_gone: 'Berkasnya sudah tidak disimpan. Pilih lagi berkasnya di langkah pertama.',
    too_many_rows: 'Daftarnya lebih dari 1.000.000 orang. Buat beberapa siaran.',
    column_missing: 'Kolom yang dipilih sudah tidak ada di berkasnya. Pilih lagi berkasnya.',
    too_slow: 'Daftarnya terlalu lama dibaca. Pilih kontak lewat daftar kontak, atau kirim sebagai berkas.',
    internal_error: 'Ada yang rusak di pihak kami. Coba lagi, dan beri tahu kami kalau terjadi lagi.',
    not_text: 'Berkas ini bukan tabel. Di Excel pilih File → Simpan Sebagai → “CSV UTF-8”.',
    too_many_columns: 'Kolomnya terlalu banyak. Sisakan yang perlu saja.',
    row_too_long:
      'Ada baris yang terlalu panjang. Mungkin ada tanda kutip yang belum ditutup. Periksa lalu simpan lagi.',
    quote_not_closed: 'Ada tanda kutip yang belum ditutup sampai akhir berkas. Hapus tandanya, lalu simpan lagi.',
  },
);

/** The sentence for a code of the gateway. A page may be older than the gateway. */
export const problemSentence = (code: string, sentences: Readonly<Record<string, string>>): string =>
  sentences[code] ?? sentences['internal_error'] ?? code;
