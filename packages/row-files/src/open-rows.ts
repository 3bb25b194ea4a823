/**
 * Reads a file of rows from its bytes: CSV with any of three separators, or NDJSON, in four encodings. Memory holds one
 * slice, however long the file is. The rows do not depend on how the bytes are cut into chunks.
 */
import { RowFileError } from './file-problems.js';
import { findSeparator, type Separator } from './find-separator.js';
import { type Cells, parseCsv } from './parse-csv.js';
import { type Line, parseLine, parseLines } from './parse-lines.js';
import { type Encoding, openText } from './read-text.js';
import type { RowProblem } from './row-problems.js';

export type { RowProblem } from './row-problems.js';

export const maxColumns = 200;
const columnMaxLength = 100;

/** `row` is the number that a spreadsheet shows beside the row. `values` are in the order of the columns. */
export type FileRow = { readonly row: number } & (
  | { readonly values: readonly string[] }
  | { readonly problem: RowProblem /** Absent: the row has no cells. */; readonly cells?: readonly string[] }
);

export type RowFile = {
  readonly form: 'csv' | 'ndjson';
  readonly encoding: Encoding;
  /** Null: the file has none, because it is NDJSON. */
  readonly separator: Separator | null;
  /** Unlike each other. Those of NDJSON are the fields of its first lines. */
  readonly columns: readonly string[];
  /** The rows after the header, a list for each slice of the file. Throws a RowFileError where the file breaks off. */
  readonly rows: AsyncGenerator<readonly FileRow[]>;
};

/** A cell that can only be a value: at least seven digits, and no letters. Files without a header begin with one. */
const isValue = (cell: string) => /^[\d\s+().-]+$/.test(cell) && cell.replace(/\D/g, '').length >= 7;

/** Makes names unlike each other. A column without a name gets its number. */
function nameColumns(cells: readonly string[]): string[] {
  if (cells.length > maxColumns) throw new RowFileError('too_many_columns', 1);
  const names = new Set<string>();
  cells.forEach((cell, i) => {
    const name = cell.trim().slice(0, columnMaxLength) || `Column ${i + 1}`;
    let free = name;
    for (let n = 2; names.has(free); n++) free = `${name} (${n})`;
    names.add(free);
  });
  return [...names];
}

function rowOf({ row, cells }: Cells, width: number): FileRow {
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== ''))
    return { row, problem: 'extra_cells', cells };
  return { row, values: Array.from({ length: width }, (_none, i) => cells[i] ?? '') };
}

async function openCsv(slices: AsyncGenerator<string>, separator: Separator) {
  const lists = parseCsv(slices, separator);
  let first: readonly Cells[] = [];
  while (first.length === 0) {
    const next = await lists.next();
    if (next.done === true) throw new RowFileError('empty');
    first = next.value;
  }
  const [header, ...others] = first;
  const cells = header?.cells ?? [];
  const hasHeader = !cells.some(isValue);
  const columns = nameColumns(hasHeader ? cells : cells.map(() => ''));
  async function* rows(): AsyncGenerator<readonly FileRow[]> {
    yield (hasHeader ? others : first).map((one) => rowOf(one, columns.length));
    for await (const list of lists) yield list.map((one) => rowOf(one, columns.length));
  }
  return { columns, rows: rows() };
}

function openLines(slices: AsyncGenerator<string>, sample: string) {
  const complete = sample.includes('\n') ? sample.slice(0, sample.lastIndexOf('\n')) : sample;
  const lines = complete.split('\n').map((text, i) => parseLine(text, i + 1));
  const names = new Set(lines.flatMap((line) => ('fields' in line ? [...line.fields.keys()] : [])));
  const columns = [...names];
  if (columns.length > maxColumns) throw new RowFileError('too_many_columns', 1);
  const rowOfLine = (line: Line): FileRow =>
    'problem' in line ? line : { row: line.row, values: columns.map((name) => line.fields.get(name) ?? '') };
  async function* rows(): AsyncGenerator<readonly FileRow[]> {
    for await (const list of parseLines(slices)) yield list.map(rowOfLine);
  }
  return { columns, rows: rows() };
}

/** Throws a RowFileError if the file cannot be read at all. */
export async function openRows(chunks: AsyncIterable<Uint8Array>): Promise<RowFile> {
  const { encoding, sample, slices } = await openText(chunks);
  if (sample.trim() === '') throw new RowFileError('empty');
  if (sample.trimStart().startsWith('{'))
    return { form: 'ndjson', encoding, separator: null, ...openLines(slices, sample) };
  const separator = findSeparator(sample);
  return { form: 'csv', encoding, separator, ...(await openCsv(slices, separator)) };
}
