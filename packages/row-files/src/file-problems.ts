/** Why a file cannot be read, or cannot be read further. Each sentence says what to do. */
const sentences = {
  empty: 'The file has no rows. Save the sheet again and send that file.',
  workbook: 'The file is a workbook or a packed file. Save it as "CSV UTF-8" in the spreadsheet and send that file.',
  not_text: 'The file is not text. Save it as "CSV UTF-8" in the spreadsheet and send that file.',
  too_many_columns: 'The file has too many columns, or the wrong separator. Keep only the columns that you need.',
  row_too_long: 'A row is too long. Perhaps a quote is not closed. Look at the row, and at the one before it.',
  quote_not_closed: 'The file ends inside quotes. Close the quote, or remove it.',
} as const;

export type FileProblem = keyof typeof sentences;

// The table's own keys; Object.keys only knows `string`.
export const fileProblems = Object.keys(sentences) as readonly FileProblem[];

export const fileSentence = (problem: FileProblem): string => sentences[problem];

/** Ends the reading of a file. The rows before `row` are fine. */
export class RowFileError extends Error {
  override readonly name = 'RowFileError';
  readonly problem: FileProblem;
  /** Null: the whole file. */
  readonly row: number | null;

  constructor(problem: FileProblem, row: number | null = null, options?: ErrorOptions) {
    super(sentences[problem], options);
    this.problem = problem;
    this.row = row;
  }
}
