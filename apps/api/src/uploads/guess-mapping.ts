/** Guesses which columns of a file hold the fields of a contact: by the names of columns, and then by their values. */
import { parsePhone } from '@kurir/phone-numbers';

type Field = 'phone' | 'name' | 'locale' | 'time_zone';
export type Mapping = { readonly [F in Field]: string | null };

/** In Indonesian and English, without blanks and marks. */
const names: { readonly [F in Field]: RegExp } = {
  phone:
    /^(?:(?:no|nomor|nomer|number)?(?:hp|handphone|wa|whatsapp|telp|telepon|telpon|tlp|ponsel|mobile|phone|seluler)(?:no|nomor|number)?|msisdn|phonedestination|recipient|mobilenumber|cellphone)$/,
  name: /^(?:nama(?:lengkap|pelanggan|customer|kontak|penerima)?|(?:full|first|customer|contact)?name)$/,
  locale: /^(?:locale|language|lang|bahasa)$/,
  time_zone: /^(?:timezone|zonawaktu|tz)$/,
};

const plain = (column: string) => column.toLowerCase().replace(/[^a-z]/g, '');

/** Whether at least half of the filled cells are phone numbers. */
function holdsPhones(cells: readonly string[], country: string): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.filter((cell) => parsePhone(cell, country).ok).length * 2 >= filled.length;
}

export function guessMapping(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  country: string,
): Mapping {
  const named = (field: Field) => columns.find((column) => names[field].test(plain(column))) ?? null;
  const byValues = columns.find((_column, i) =>
    holdsPhones(
      rows.map((values) => values[i] ?? ''),
      country,
    ),
  );
  return {
    phone: named('phone') ?? byValues ?? null,
    name: named('name'),
    locale: named('locale'),
    time_zone: named('time_zone'),
  };
}
