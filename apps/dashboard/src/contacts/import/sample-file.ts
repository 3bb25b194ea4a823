/** A file as the import takes it. A spreadsheet in Indonesian separates cells by semicolons, and needs the mark of UTF-8. */
import type { Language } from '../../i18n/language.js';

const rows: Readonly<Record<Language, readonly string[]>> = {
  en: ['Name,Phone,City', 'Siti Rahma,0812 3456 7890,Bandung', 'Budi Santoso,+62 813 1111 2222,Surabaya'],
  id: ['Nama;Nomor HP;Kota', 'Siti Rahma;0812 3456 7890;Bandung', 'Budi Santoso;+62 813 1111 2222;Surabaya'],
};

export const sampleFile = (language: Language): string => `\ufeff${rows[language].join('\r\n')}\r\n`;
