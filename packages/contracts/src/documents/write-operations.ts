/** Writes docs/operations.md, the table of operations. With `--check` it fails if that file is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { operationTable } from './operation-table.js';

const path = 'docs/operations.md';
const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const wanted = operationTable();

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  console.error(`${path} is stale: run npm run generate`);
  process.exitCode = 1;
}
