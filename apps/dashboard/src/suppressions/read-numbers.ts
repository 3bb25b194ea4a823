/** Reads pasted numbers or a file: one number a line, or the first column of a CSV. The page loads it when it is needed. */
import { canonicalNumber, isRecipientNumber, setLocalCountry } from '@kurir/contracts/dashboard';

export type ReadNumbers = { readonly phones: readonly string[]; readonly refusedLines: readonly number[] };

/** A spreadsheet may have put quotes or an apostrophe around a number. */
const firstCell = (row: string): string =>
  (/^"((?:[^"]|"")*)"/.exec(row)?.[1] ?? row.split(/[,;\t]/, 1)[0] ?? '').trim();

/** Skips empty lines, a header in the first line, and numbers that came before. Numbers without a country code belong to `country`. */
export function readNumbers(text: string, country: string): ReadNumbers {
  setLocalCountry(country);
  const phones = new Set<string>();
  const refusedLines: number[] = [];
  for (const [i, row] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const cell = firstCell(row.trim());
    if (cell === '' || (i === 0 && !/\d/.test(cell))) continue;
    const phone = canonicalNumber(cell);
    if (isRecipientNumber(phone)) phones.add(phone);
    else refusedLines.push(i + 1);
  }
  return { phones: [...phones], refusedLines };
}
