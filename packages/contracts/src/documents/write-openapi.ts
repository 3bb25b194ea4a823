/** Writes docs/openapi.json. With `--check` it fails if that file is stale, or if an error has no example. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMissingExamples, openApiDocument } from './openapi.js';

const path = 'docs/openapi.json';
const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const text = `${JSON.stringify(openApiDocument('http://127.0.0.1:3000'), null, 2)}\n`;

function readPresent(): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A missing file counts as stale.
    return null;
  }
}

if (!process.argv.includes('--check')) writeFileSync(file, text);
else {
  const missing = findMissingExamples();
  if (missing.length > 0) console.error(`No test has recorded an example for: ${missing.join(', ')}`);
  if (readPresent() !== text) console.error(`${path} is stale: run npm run generate`);
  if (missing.length > 0 || readPresent() !== text) process.exitCode = 1;
}
