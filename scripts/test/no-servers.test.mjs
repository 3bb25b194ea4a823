import { execFile, execSync, spawn } from 'node:child_process';
import { createServer, connect } from 'node:net';
import { expect, test } from 'vitest';
import { reachedOut } from './no-servers.mjs';

test.each([
  ['a server', () => createServer().listen(0), 'listen'],
  ['a connection', () => connect(1, '127.0.0.1'), 'connect'],
  ['a program', () => spawn('true'), 'spawn'],
  ['a program that is waited for', () => execFile('true'), 'spawn'],
  ['a program that blocks', () => execSync('true'), 'execSync'],
])('%s fails the test, even if the test catches the error', async (_what, open, name) => {
  expect(open).toThrow(`A quick test called ${name}`);
  expect(reachedOut()).toEqual([name]);
});

test('an HTTP request fails the test, too', async () => {
  await expect(fetch('http://127.0.0.1:4711')).rejects.toThrow('fetch failed');
  expect(reachedOut()).toEqual(['connect']);
});
