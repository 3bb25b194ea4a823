/** The built logger writes to the standard output of its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const built = new URL('../dist/index.js', import.meta.url).href;
const writes = 200_000;
/** The lines together are twice as long as the logger lets wait. */
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

test('lines beyond a limit are dropped while nobody reads, and their number is logged when somebody does', async () => {
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
