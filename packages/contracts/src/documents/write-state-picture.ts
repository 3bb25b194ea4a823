/** Draws the states of a message into docs/reliability.md. With `--check` it fails if the drawing there is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withStatePicture } from './state-picture.js';

const path = 'docs/reliability.md';
const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const present = readFileSync(file, 'utf8');
const wanted = withStatePicture(present);

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (present !== wanted) {
  console.error(`The states in ${path} are stale: run npm run generate`);
  process.exitCode = 1;
}
