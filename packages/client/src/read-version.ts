import { readFileSync } from 'node:fs';

/** The version in package.json, one folder up: from `src`, where this file lies, and from `dist`, where it is bundled. */
export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}
