import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NODE_VERSIONS } from '../downloads/node-versions.mjs';
import { parseArguments, SHIPPED, UsageError } from './arguments.mjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('without arguments the shipped Node and Postgres are measured', () => {
  expect(parseArguments([])).toEqual({ help: false, ...SHIPPED, mainArgs: [] });
  expect(read('Dockerfile')).toContain(`FROM node:${NODE_VERSIONS[SHIPPED.node]}-`);
  expect(read('docker-compose.yml')).toContain(`image: postgres:${SHIPPED.postgres}.`);
});

test('the Node and the Postgres are selected here, and all other arguments go to the benchmark', () => {
  expect(parseArguments(['otp', '--node', 'this', '--runs=5', 'codes', '--json', '--postgres', '18'])).toEqual({
    help: false,
    node: 'this',
    postgres: '18',
    mainArgs: ['otp', 'codes', '--runs', '5', '--json'],
  });
});

test.each([
  ['fast', 'no measure or study fast'],
  ['--node=21', '--node must be one of 20, 22, 24, this'],
  ['--postgres=16', '--postgres must be one of 17, 18'],
  ['--runs=0', '--runs must be a whole number from 1 to 99'],
  ['--seconds=1.5', '--seconds must be a whole number'],
  ['--network=sms', '--network must be one of'],
  ['--quick', "Unknown option '--quick'"],
])('%s is refused with a sentence', (argument, sentence) => {
  expect(() => parseArguments([argument])).toThrow(UsageError);
  expect(() => parseArguments([argument])).toThrow(sentence);
});
