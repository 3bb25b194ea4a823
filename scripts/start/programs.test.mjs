import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeCommand } from '../local/commands.mjs';
import { NODE_FLAGS, programs } from './programs.mjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const program = (name) => programs({ ports: {}, stateDir: '.', settings: {} }).find((one) => one.name === name);

test.each(['api', 'worker'])('npm start and Docker run %s with the same flags for Node', (name) => {
  const { entry, args, env, nodeFlags } = program(name);
  expect(nodeCommand(entry, args, env, nodeFlags).args.slice(0, NODE_FLAGS.length)).toEqual(NODE_FLAGS);
  expect(read('docker-compose.yml')).toContain(`command: [${['node', ...NODE_FLAGS, entry].join(', ')}]`);
});

test('the image runs the api with the same flags by default', () => {
  expect(read('Dockerfile')).toContain(
    `CMD ${JSON.stringify(['node', ...NODE_FLAGS, program('api').entry]).replaceAll(',', ', ')}`,
  );
});

test('this Node accepts the flags', async () => {
  await promisify(execFile)(process.execPath, [...NODE_FLAGS, '--eval', '']);
});
