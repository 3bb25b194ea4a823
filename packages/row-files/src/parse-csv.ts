/** Splits CSV text into rows of cells, one list of rows for each slice. */
import { CsvError, parse } from 'csv-parse';
import type { Separator } from './find-separator.js';
import { RowFileError } from './file-problems.js';

export const maxRowBytes = 256 * 1024;

export type Cells = { readonly row: number; readonly cells: readonly string[] };

const problems: Partial<Record<string, 'row_too_long' | 'quote_not_closed'>> = {
  CSV_MAX_RECORD_SIZE: 'row_too_long',
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
};

/** A row is numbered as a spreadsheet does it, from 1, with the header and with blank rows. Blank rows are left out. */
export async function* parseCsv(slices: AsyncIterable<string>, separator: Separator): AsyncGenerator<readonly Cells[]> {
  let rows: Cells[] = [];
  let row = 0;
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[]) => {
      row++;
      if (cells.length > 1 || cells[0] !== '') rows.push({ row, cells });
      // The rows are taken from here, so the stream keeps none.
      return null;
    },
  });
  parser.resume();
  let failed: Error | undefined;
  parser.on('error', (error) => (failed ??= error));
  const step = (work: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      work((error) => (error ? reject(error) : resolve()));
    });
  try {
    for await (const slice of slices) {
      await step((done) => parser.write(slice, done));
      yield rows;
      rows = [];
    }
    await new Promise<void>((resolve, reject) => {
      parser.once('end', resolve).once('error', reject).end();
    });
    yield rows;
  } catch (cause) {
    const error = failed ?? cause;
    const problem = error instanceof CsvError ? problems[error.code] : undefined;
    if (problem === undefined) throw error;
    // The rows before the fault are good.
    yield rows;
    throw new RowFileError(problem, row + 1, { cause: error });
  } finally {
    parser.destroy();
  }
}
