import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from './machine/free-port.js';
import { startProgram, stopAllPrograms } from './running-program.js';

const SERVER = `
import { createServer } from 'node:http';
createServer((request, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');
console.log(JSON.stringify({ level: 30, msg: 'started', names: Object.keys(process.env) }));
console.error('plain text');
process.on('SIGTERM', () => process.exit(7));
`;

let folder: string;
let server: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurir-program-'));
  server = join(folder, 'server.mjs');
  await writeFile(server, SERVER);
});
afterEach(stopAllPrograms);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startServer() {
  const port = String(await freePort());
  return startProgram({ path: server, env: { PORT: port }, ready: `http://127.0.0.1:${port}/` });
}

test('a program is ready when its address answers, and its lines are kept', async () => {
  const program = await startServer();
  expect(await program.waitForLine(/plain/)).toBe('plain text');
  expect(program.logs()).toMatchObject([{ level: 30, msg: 'started' }]);
});

test('a program gets only the settings of the test', async () => {
  const program = await startServer();
  await program.waitForLine(/started/);
  const [entry] = program.logs();
  expect(entry?.['names']).toContain('PATH');
  expect(String(entry?.['names'])).not.toContain('KURIR_TEST');
});

test('stop lets a program finish, and kill does not', async () => {
  const polite = await startServer();
  expect(await polite.stop()).toEqual({ code: 7, signal: null });
  expect(await polite.stop()).toEqual({ code: 7, signal: null });
  const killed = await startServer();
  expect(await killed.kill()).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a program that dies before it is ready causes an error with its last lines', async () => {
  const path = join(folder, 'dying.mjs');
  await writeFile(path, `console.error('no such setting'); process.exit(3);`);
  await expect(startProgram({ path, ready: 'http://127.0.0.1:1/' })).rejects.toThrow(
    /ended before.*\n?no such setting/s,
  );
});
