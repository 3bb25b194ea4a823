/** Why a row was not imported, and what to do, in the words of people. Programs get the sentences of the api. */
import type { Language } from '../fields/language.js';

const sentences = {
  en: {
    empty: 'The number is missing. Fill it in.',
    not_a_number: 'A phone number has digits only, such as 0812 3456 7890.',
    too_short: 'The number has too few digits. Are some missing?',
    too_long: 'The number has too many digits. Write one number in each cell.',
    not_possible: 'No phone number looks like this. Check the digits, or begin with + and the country code.',
    ruined_by_excel:
      'The spreadsheet has spoiled the number, so its last digits are lost. Format the column as text, and take the number from the first source again.',
    duplicate_in_file: 'The number stands in an earlier row too. Only that row was imported.',
    unreadable_text: 'The cell has signs that are no text. Save the file as “CSV UTF-8”.',
    name_too_long: 'The name is longer than 200 characters. Shorten it.',
    unknown_locale: 'This is no language. Write id or en.',
    unknown_time_zone: 'This is no time zone. Write Asia/Jakarta, Asia/Makassar or Asia/Jayapura.',
    attribute_too_long: 'The cell is longer than 500 characters. Shorten it, or leave the column out.',
    too_many_attributes: 'The contact would have more than 50 entries. Remove some first.',
    extra_cells: 'The row has more cells than the header. Is a comma or a quotation mark at the wrong place?',
    not_json: 'The line cannot be read. Write one object in each line.',
    not_flat: 'A field holds a list. Use texts and numbers only.',
  },
  id: {
    empty: 'Nomornya kosong. Isi dulu.',
    not_a_number: 'Nomor hanya boleh berisi angka, misalnya 0812 3456 7890.',
    too_short: 'Angkanya kurang. Mungkin ada yang hilang.',
    too_long: 'Angkanya kelebihan. Tulis satu nomor per sel.',
    not_possible: 'Tidak ada nomor telepon seperti ini. Periksa angkanya, atau awali dengan + dan kode negara.',
    ruined_by_excel:
      'Excel merusak nomor ini, jadi angka belakangnya hilang. Ubah format kolomnya jadi Teks, lalu ambil lagi nomornya dari sumber pertama.',
    duplicate_in_file: 'Nomor ini sudah ada di baris sebelumnya. Hanya baris itu yang diimpor.',
    unreadable_text: 'Ada huruf yang tidak terbaca. Simpan berkasnya sebagai “CSV UTF-8”.',
    name_too_long: 'Namanya lebih dari 200 huruf. Pendekkan.',
    unknown_locale: 'Ini bukan kode bahasa. Tulis id atau en.',
    unknown_time_zone: 'Ini bukan zona waktu. Tulis Asia/Jakarta, Asia/Makassar, atau Asia/Jayapura.',
    attribute_too_long: 'Isinya lebih dari 500 huruf. Pendekkan, atau lewati kolomnya.',
    too_many_attributes: 'Datanya jadi lebih dari 50. Hapus sebagian dulu.',
    extra_cells: 'Selnya lebih banyak dari judul kolom. Mungkin ada koma atau tanda kutip yang salah tempat.',
    not_json: 'Baris ini tidak terbaca. Tulis satu objek per baris.',
    not_flat: 'Ada isian yang berupa daftar. Pakai teks dan angka saja.',
  },
} as const;

const sameAs = {
  en: (row: number) => `Same as row ${row}`,
  id: (row: number) => `Sama dengan baris ${row}`,
} as const;

type Refused = { readonly code: string; readonly sameAsRow: number | null };

/** Null: the code is of a newer version. */
export function refusalTextOf({ code, sameAsRow }: Refused, language: Language): string | null {
  if (sameAsRow !== null) return sameAs[language](sameAsRow);
  const known: Readonly<Record<string, string>> = sentences[language];
  return known[code] ?? null;
}
