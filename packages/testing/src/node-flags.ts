import { readFileSync } from 'node:fs';

/** What Node is told when it runs api or worker in production. */
export const nodeFlags = JSON.parse(
  readFileSync(new URL('../../../scripts/node-flags.json', import.meta.url), 'utf8'),
) as readonly string[]; // our own file
