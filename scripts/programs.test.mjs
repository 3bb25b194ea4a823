import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NODE_FLAGS, programs } from './programs.mjs';

const compose = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');
const context = { ports: {}, stateDir: '.', settings: {} };

test.each(['api', 'worker'])('%s is run with the same flags by npm start and in Docker', (name) => {
  const { entry, nodeFlags } = programs(context).find((program) => program.name === name);
  expect(nodeFlags).toBe(NODE_FLAGS);
  expect(compose).toContain(`command: [${['node', ...NODE_FLAGS, entry].join(', ')}]`);
});
