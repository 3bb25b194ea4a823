import { expect, test } from 'vitest';
import { mutantNames } from '../../e2e/dist/mutations/mutations.js';
import { MUTANTS, parseArguments, UsageError } from './arguments.mjs';

const namesOf = (args) => parseArguments(args).runs.map(({ name, faults }) => `${name} ${faults}`);

test('without arguments there is one attack with a hundred faults', () => {
  expect(namesOf([])).toEqual(['seed-1 100']);
});

test('each seed and each mutant is a run, and a mutant has fewer faults', () => {
  expect(namesOf(['--seeds', '3,4', '--faults', '7'])).toEqual(['seed-3 7', 'seed-4 7']);
  expect(namesOf(['--mutants', 'no-sweep,random-id', '--seed', '9'])).toEqual([
    'no-sweep-seed-9 40',
    'random-id-seed-9 40',
  ]);
  expect(parseArguments(['--mutants', 'all']).runs.map(({ mutant }) => mutant)).toEqual(MUTANTS);
});

test('the mutants are those of the attack', () => {
  expect([...MUTANTS].sort()).toEqual([...mutantNames].sort());
});

test('no two runs share a folder', () => {
  const folders = parseArguments(['--seeds', '1,2', '--mutants', 'all']).runs.map(({ directory }) => directory);
  expect(new Set(folders).size).toBe(folders.length);
});

test.each([
  ['--faults', '0'],
  ['--faults', '1.5'],
  ['--faults', '100001'],
  ['--seed', '../../etc'],
  ['--seeds', '1,,2'],
  ['--mutant', 'none'],
  ['--resume', '/nowhere'],
  ['--wrong'],
  ['fail-over'],
  ['attack', 'twice'],
])('%s %s is refused', (...args) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
});
