/** Why one row cannot be read. The rows after it can. */
const sentences = {
  extra_cells: 'The row has more cells than the header. Put quotes around a value that holds the separator.',
  not_json: 'The line is not one JSON object. Write an object such as {"phone": "081234567890"} in each line.',
  not_flat: 'A field of the line holds a list or an object. Use texts and numbers only.',
} as const;

export type RowProblem = keyof typeof sentences;

// The table's own keys; Object.keys only knows `string`.
export const rowProblems = Object.keys(sentences) as readonly RowProblem[];

export const rowSentence = (problem: RowProblem): string => sentences[problem];
