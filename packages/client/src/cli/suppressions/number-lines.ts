/** Reads a list of numbers: one a line, or the first column of a CSV. */
import { parseNumber } from '../terminal/parse-time.js';

export type NumberLine = { readonly line: number; readonly phone: string };
export type RefusedLine = { readonly line: number; readonly reason: string };

/** A spreadsheet may have put quotes or an apostrophe around a number. */
const firstCell = (text: string): string =>
  (/^"((?:[^"]|"")*)"/.exec(text)?.[1] ?? text.split(/[,;\t]/, 1)[0] ?? '').replace(/^'/, '').trim();

/** The gateway knows the lengths of each country. It refuses what passes here and is no possible number. */
function refusalOf(phone: string): string | null {
  if (!/^[0-9]+$/.test(phone)) return 'not a phone number';
  return phone.length < 7 || phone.length > 15 ? 'must have 7 to 15 digits' : null;
}

/** Skips empty lines, a header in the first line, and numbers that came before. */
export function readNumbers(text: string): { readonly numbers: NumberLine[]; readonly refused: RefusedLine[] } {
  const numbers = new Map<string, NumberLine>();
  const refused: RefusedLine[] = [];
  for (const [i, row] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const cell = firstCell(row.trim());
    if (cell === '' || (i === 0 && !/[0-9]/.test(cell))) continue;
    const phone = parseNumber(cell);
    const reason = refusalOf(phone);
    if (reason !== null) refused.push({ line: i + 1, reason });
    else if (!numbers.has(phone)) numbers.set(phone, { line: i + 1, phone });
  }
  return { numbers: [...numbers.values()], refused };
}
