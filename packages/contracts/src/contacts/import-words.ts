/** The words of imports. */
export const importStates = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

export const onExistingWords = ['update', 'keep'] as const;
export type OnExisting = (typeof onExistingWords)[number];

/** Why an import refuses a row, apart from its phone number and its form. Each sentence says what to do. */
export const refusalSentences = {
  duplicate_in_file: 'The number stands in an earlier row of this file. Only that row was imported.',
  unreadable_text: 'The cell holds signs that are not text. Save the file as "CSV UTF-8" and import it again.',
  name_too_long: 'The name is longer than 200 characters. Shorten it.',
  unknown_locale: 'This is no language. Write a tag such as id or en.',
  unknown_time_zone: 'This is no time zone. Write a name such as Asia/Jakarta.',
  attribute_too_long: 'The cell is longer than 500 characters. Shorten it, or leave the column out.',
  too_many_attributes: 'The contact would have more than 50 attributes. Remove some first.',
} as const;

export type RefusalWord = keyof typeof refusalSentences;

/** Why an import failed, apart from the form of its file. */
export const importProblems = {
  upload_gone: 'The file is not kept any more. Send it again.',
  too_many_rows:
    'The file has more than 1,000,000 rows. The first million was imported. Put the others into a second file.',
  internal_error: 'Something broke on our side. Send the file again, and tell us if it happens again.',
  column_missing: 'The file has no column of the mapping any more. Send it again.',
} as const;

export type ImportProblem = keyof typeof importProblems;
