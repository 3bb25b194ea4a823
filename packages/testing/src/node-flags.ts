import { readFileSync } from 'node:fs';

const file = new URL('../../../scripts/node-flags.json', import.meta.url);

/** The flags of Node when it runs api or worker. `scripts/start/programs.mjs` says why. */
export const nodeFlags = () => JSON.parse(readFileSync(file, 'utf8')) as readonly string[]; // our own file
