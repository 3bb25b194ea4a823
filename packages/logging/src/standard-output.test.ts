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
  const before = process.memoryUsage().rss;
  for (let n = 0; n < ${writes}; n++) {
    log.info({ n }, '${padding}');
    if (n % 1_000 === 0) await new Promise(setImmediate);
  }
  process.send({ grownMb: (process.memoryUsage().rss - before) / 2 ** 20 });
  process.once('message', () => process.disconnect());
`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

type Line = { readonly msg: string; readonly n?: number; readonly lines?: number };

test('lines that nobody reads are dropped beyond 16 MiB, and how many is told once somebody does', async () => {
  child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [told] = await once(child, 'message');
  expect(told.grownMb).toBeLessThan(100);

  const read: Line[] = [];
  if (child.stdout === null) throw new Error('no pipe to read from');
  for await (const text of createInterface({ input: child.stdout })) {
    const line: Line = JSON.parse(text);
    read.push(line);
    if (line.msg === 'log lines dropped') child.send('enough');
  }
  const last = read.pop();
  expect(last).toMatchObject({ level: 40, msg: 'log lines dropped' });
  expect(last?.lines).toBe(writes - read.length);
  expect(read.length * padding.length).toBeGreaterThan(8 * 2 ** 20);
  expect(read.map((line) => line.n)).toEqual(read.map((_, n) => n));
});
