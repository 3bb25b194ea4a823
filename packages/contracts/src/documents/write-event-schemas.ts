/** Writes docs/events.schema.json. With `--check` it fails if that file is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventSchemaDocument } from './event-schemas.js';

const path = 'docs/events.schema.json';
const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const wanted = `${JSON.stringify(eventSchemaDocument(), null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  console.error(`${path} is stale: run npm run generate`);
  process.exitCode = 1;
}
