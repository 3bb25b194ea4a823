export { type FileProblem, fileProblems, fileSentence, RowFileError } from './file-problems.js';
export { type FileRow, openRows, type RowFile, type RowProblem } from './open-rows.js';
export { rowProblems, rowSentence } from './row-problems.js';
export { sampleBytes } from './read-text.js';
