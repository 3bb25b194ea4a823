/** The sentences for the words that say why a row was refused or an import failed. */
import { importProblems, refusalSentences } from '@kurir/contracts';
import { phoneReasons, phoneSentence } from '@kurir/phone-numbers';
import { fileProblems, fileSentence, rowProblems, rowSentence } from '@kurir/row-files';

const refusals: ReadonlyMap<string, string> = new Map([
  ...phoneReasons.map((reason) => [reason, phoneSentence(reason)] as const),
  ...rowProblems.map((problem) => [problem, rowSentence(problem)] as const),
  ...Object.entries(refusalSentences),
]);

const problems: ReadonlyMap<string, string> = new Map([
  ...fileProblems.map((problem) => [problem, fileSentence(problem)] as const),
  ...Object.entries(importProblems),
]);

/** The word may be of another version. */
export const refusalSentence = (code: string): string => refusals.get(code) ?? 'The row could not be read. Check it.';
export const problemSentence = (code: string): string => problems.get(code) ?? 'The file could not be read. Check it.';
