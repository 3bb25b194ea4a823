/** Splits NDJSON text into objects, one list for each slice. */
import { RowFileError } from './file-problems.js';
import { maxRowBytes } from './parse-csv.js';
import type { RowProblem } from './row-problems.js';

export type Line = { readonly row: number } & (
  | { readonly fields: ReadonlyMap<string, string> }
  | { readonly problem: RowProblem }
);

/** Numbers keep all digits that JSON.parse keeps. Null and a missing field are the same. */
function textOf(value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

export function parseLine(text: string, row: number): Line {
  const value = parseObject(text);
  if (value === null) return { row, problem: 'not_json' };
  const fields = new Map<string, string>();
  for (const [name, field] of Object.entries(value)) {
    const cell = textOf(field);
    if (cell === null) return { row, problem: 'not_flat' };
    fields.set(name.trim(), cell);
  }
  return { row, fields };
}

/** A line is numbered from 1, with blank lines. Blank lines are left out. */
export async function* parseLines(slices: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let rest = '';
  let row = 0;
  const take = (text: string): Line[] => {
    row++;
    return text.trim() === '' ? [] : [parseLine(text, row)];
  };
  for await (const slice of slices) {
    const lines = (rest + slice).split('\n');
    rest = lines.pop() ?? '';
    yield lines.flatMap(take);
    if (rest.length > maxRowBytes) throw new RowFileError('row_too_long', row + 1);
  }
  yield take(rest);
}
