import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type ).*?from '([^']+)'/gms)].map(
    ([, specifier = '']) => specifier,
  );
}

const phoneNumbers = '@kurir/phone-numbers';
const here = dirname(fileURLToPath(import.meta.url));

/** Null: a library. */
function sourceOf(file: string, specifier: string): string | null {
  if (specifier === phoneNumbers) return join(here, '../../phone-numbers/src/index.ts');
  return specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.ts')) : null;
}

function reachableFrom(file: string, seen: Map<string, string[]>): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const imports = importsOf(file);
  seen.set(file, imports);
  for (const specifier of imports) {
    const source = sourceOf(file, specifier);
    if (source !== null) reachableFrom(source, seen);
  }
  return seen;
}

test('a browser can load the route table, because no file behind it imports Node', () => {
  const seen = reachableFrom(join(here, 'dashboard.ts'), new Map());
  const libraries = new Set([...seen.values()].flat().filter((specifier) => sourceOf('', specifier) === null));
  expect(seen.size).toBeGreaterThan(10);
  expect([...libraries].sort()).toEqual(['libphonenumber-js/min', 'zod']);
});
