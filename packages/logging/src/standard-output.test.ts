/** What becomes of lines on standard output: a process of its own writes them, with the built logger. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const built = new URL('../dist/index.js', import.meta.url).href;
const writes = 200_000;
/** What may wait is 16 MiB; the lines together are twice that. */
const padding = 'x'.repeat(100);

const program = `
  import { createLogger } from ${JSON.stringify(built)};
  const log = createLogger({ name: 'test', level: 'info', pretty: false });
  for (let n = 0; n < ${writes}; n++) {
    log.info({ n }, '${padding}');
    if (n % 1_000 === 0) await new Promise(setImmediate);
  }
  process.send('all written');
  process.once('message', () => process.disconnect());
`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

type Line = { readonly msg: string; readonly n?: number; readonly lines?: number };

test('lines that nobody reads are dropped beyond 16 MiB, and how many is told once somebody does', async () => {
  child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');

  const read: Line[] = [];
  if (child.stdout === null) throw new Error('no pipe to read from');
  for await (const text of createInterface({ input: child.stdout })) {
    const line: Line = JSON.parse(text);
    read.push(line);
    if (line.msg === 'log lines dropped') child.send('enough');
  }
  const last = read.pop();
  expect(last).toMatchObject({ level: 50, msg: 'log lines dropped' });
  expect(last?.lines).toBe(writes - read.length);
  expect(read.length * padding.length).toBeGreaterThan(8 * 2 ** 20);
  const numbers = read.map((line) => line.n ?? Number.NaN);
  expect(numbers.every((n, i) => i === 0 || n > (numbers[i - 1] ?? n))).toBe(true);
});
