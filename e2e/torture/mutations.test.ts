import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyMutation } from './apply-mutation.js';
import { findMutation, mutantNames } from './mutations.js';

const root = new URL('../../', import.meta.url);

const read = (file: string) => readFileSync(fileURLToPath(new URL(file, root)), 'utf8');

describe.each(mutantNames)('the mutant %s', (name) => {
  const mutation = findMutation(name);

  it('finds what it changes in the built product, and changes it', () => {
    for (const file of new Set(mutation.replacements.map((replacement) => replacement.file))) {
      const source = read(file);
      expect(applyMutation(mutation, file, source)).not.toBe(source);
    }
  });

  it('changes something', () => {
    const changes = [mutation.replacements, mutation.sql, Object.keys(mutation.modules)].flat();
    expect(changes).not.toHaveLength(0);
  });
});

it('a replacement that finds nothing is an error, not a product that was left whole', () => {
  const mutation = { ...findMutation('random-id'), replacements: [{ file: 'a.js', find: 'x', put: 'y' }] };
  expect(() => applyMutation(mutation, 'a.js', 'nothing here')).toThrow('a.js holds 0 times');
  expect(() => applyMutation(mutation, 'a.js', 'x and x')).toThrow('a.js holds 2 times');
});
