/**
 * Reads pasted text: a number a line, several in a line, or cells of a spreadsheet. A cell that is no number belongs to
 * the number of its line. The gateway checks the numbers again.
 */
import { digitsOf, isSpoiled } from '../../../uploads/number-cells.js';

export type Row = { readonly phone: string; readonly values: Readonly<Record<string, string>> };

export type Pasted = {
  /** The columns beside the number, by their names in the first line. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Lines without a number, from 1. */
  readonly unread: readonly number[];
  /** Lines whose number a spreadsheet has spoiled, from 1. */
  readonly spoiled: readonly number[];
};

const unquoted = (cell: string) =>
  cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"');

/** A separator inside quotes belongs to its cell. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) {
      cells.push(unquoted(cell));
      cell = '';
    } else cell += character;
  }
  return [...cells, unquoted(cell)];
}

const separatorOf = (lines: readonly string[]): string =>
  ['\t', ';', ','].find((separator) => lines.some((line) => line.includes(separator))) ?? '\t';

const isAllNumbers = (cells: readonly string[]) => cells.every((cell) => cell === '' || digitsOf(cell) !== null);

export function readPasted(text: string): Pasted {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const separator = separatorOf(lines);
  const first = cellsOf(lines[0] ?? '', separator);
  const isHeader =
    first.some((cell) => /\p{L}/u.test(cell)) && !first.some((cell) => digitsOf(cell) ?? isSpoiled(cell));
  const names = isHeader ? first : [];
  const columns = new Set<string>();
  const rows: Row[] = [];
  const [unread, spoiled]: [number[], number[]] = [[], []];
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '' || (i === 0 && isHeader)) continue;
    const cells = cellsOf(line, separator);
    if (isAllNumbers(cells)) {
      rows.push(...cells.flatMap((cell) => (cell === '' ? [] : [{ phone: digitsOf(cell) ?? '', values: {} }])));
      continue;
    }
    const at = cells.findIndex((cell) => digitsOf(cell) !== null);
    if (at === -1) {
      (cells.some(isSpoiled) ? spoiled : unread).push(i + 1);
      continue;
    }
    const named = cells.flatMap((cell, column) => {
      const name = names[column] ?? '';
      return column === at || name === '' ? [] : [[name, cell] as const];
    });
    for (const [name] of named) columns.add(name);
    rows.push({ phone: digitsOf(cells[at] ?? '') ?? '', values: Object.fromEntries(named) });
  }
  return { columns: [...columns], rows, unread, spoiled };
}
