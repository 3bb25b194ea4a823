import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from './free-port.js';

test('ports of the same moment differ, can be listened on, and are not used by outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  for (const port of ports) {
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  }
});

test('processes that ask at the same time get different ports', async () => {
  const built = fileURLToPath(new URL('../../dist/machine/free-port.js', import.meta.url));
  const program = `const { freePort } = await import(${JSON.stringify(built)});
    const ports = []; for (let i = 0; i < 400; i++) ports.push(await freePort());
    console.log(JSON.stringify(ports)); process.stdin.resume(); setTimeout(() => process.exit(), 1500);`;
  const run = promisify(execFile);
  const outputs = await Promise.all(
    Array.from({ length: 2 }, () => run(process.execPath, ['--input-type=module', '-e', program])),
  );
  const ports = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
  expect(new Set(ports).size).toBe(ports.length);
});
