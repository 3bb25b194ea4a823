/** Runs the receivers of `examples` and sends them webhooks that `signWebhook` signed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeWebhookSecret, signWebhook } from './webhooks.js';

const repository = join(import.meta.dirname, '../../..');
const examples = join(repository, 'examples');
const workFolder = mkdtempSync(join(tmpdir(), 'kurir-receivers-'));
const deadlineMs = 60_000;

type Receiver = {
  file: string;
  needs: readonly [program: string, argument: string];
  build?: readonly [string, ...string[]];
  command: (port: number) => readonly [string, ...string[]];
};

const compiler = join(repository, 'node_modules/typescript/bin/tsc');
const builtGo = join(workFolder, 'receive-go');

const receivers: readonly Receiver[] = [
  {
    file: 'receive.ts',
    needs: ['node', '--version'],
    build: [process.execPath, compiler, '-p', examples, '--noEmit', 'false', '--outDir', workFolder],
    command: () => [process.execPath, join(workFolder, 'receive.js')],
  },
  {
    file: 'receive.py',
    needs: ['python3', '--version'],
    command: () => ['python3', join(examples, 'receive.py')],
  },
  {
    file: 'receive.php',
    needs: ['php', '--version'],
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, join(examples, 'receive.php')],
  },
  {
    file: 'receive.go',
    needs: ['go', 'version'],
    build: ['go', 'build', '-o', builtGo, join(examples, 'receive.go')],
    command: () => [builtGo],
  },
  {
    file: 'Receive.java',
    needs: ['java', '-version'],
    command: () => ['java', join(examples, 'Receive.java')],
  },
];

function missingRuntime({ file, needs: [program, argument] }: Receiver): string | null {
  if (spawnSync(program, [argument]).status === 0) return null;
  console.warn(`examples/${file}: skipped: ${program} is not installed`);
  return `skipped: ${program} is not installed`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an AddressInfo. Only a pipe has a string.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const secret = makeWebhookSecret();
const running = new Set<ChildProcess>();

async function post(url: string, headers: object, body: string | Uint8Array<ArrayBuffer>): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

beforeAll(() => writeFileSync(join(workFolder, 'package.json'), '{ "type": "module" }'));
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(workFolder, { recursive: true });
});

describe.each(receivers)('examples/$file', { timeout: 120_000 }, (receiver) => {
  const missing = missingRuntime(receiver);
  let url = '';
  let printed = '';
  let complained = '';

  beforeAll(async () => {
    if (missing !== null) return;
    if (receiver.build !== undefined) {
      const [program, ...args] = receiver.build;
      const built = spawnSync(program, args, { encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stdout + built.stderr);
    }
    const port = await freePort();
    const [program, ...args] = receiver.command(port);
    const env = { ...process.env, KURIR_WEBHOOK_SECRET: secret, PORT: String(port), TMPDIR: workFolder };
    const child = spawn(program, args, { env });
    running.add(child);
    child.once('close', () => running.delete(child));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
    url = `http://127.0.0.1:${port}/hook`;
    // Until the receiver listens, the connection is refused.
    await vi.waitFor(() => post(url, {}, '{}'), { timeout: deadlineMs });
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  const bodyOf = (id: string, text = 'halo') =>
    JSON.stringify({ id, type: 'message.received', created_at: '2026-11-25T09:00:00.000Z', data: { text } });
  const signed = (id: string, body: string, timestamp = seconds()) => signWebhook([secret], { id, timestamp, body });
  const lines = () => printed.split('\n').filter((line) => line.includes('evt_'));

  it('takes a signed event, whatever its text, and handles it once', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const body = bodyOf('evt_1', 'Kode é e\u0301 🚀 \\ / " <b> \u007f');
    expect(await post(url, signed('evt_1', body), body)).toBe(204);
    expect(await post(url, signed('evt_1', body, seconds() - 5), body)).toBe(204);
    await expect.poll(lines, { timeout: deadlineMs }).toEqual(['message.received evt_1']);
  });

  it('takes an event that is signed with two secrets, of which it knows one', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    for (const [id, secrets] of [
      ['evt_2', [makeWebhookSecret(), secret]],
      ['evt_3', [secret, makeWebhookSecret()]],
    ] as const) {
      const body = bodyOf(id);
      expect(await post(url, signWebhook(secrets, { id, timestamp: seconds(), body }), body)).toBe(204);
      await expect.poll(lines, { timeout: deadlineMs }).toContain(`message.received ${id}`);
    }
  });

  it('refuses what is not signed by Kurir, or too long ago, and goes on', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const body = bodyOf('evt_bad');
    const good = signed('evt_bad', body);
    const signature = good['webhook-signature'];
    const forged: [object, string][] = [
      [{}, body],
      [good, `${body} `],
      [good, ''],
      [{ ...good, 'webhook-id': 'evt_other' }, body],
      [{ ...good, 'webhook-timestamp': String(seconds() - 1) }, body],
      [{ ...good, 'webhook-timestamp': 'now' }, body],
      [{ ...good, 'webhook-timestamp': '' }, body],
      [{ ...good, 'webhook-timestamp': '9'.repeat(40) }, body],
      ...['', 'v1', 'v1,', 'v1,AAAA', 'v1, ', '%%', signature.replace('v1,', 'v2,'), signature.slice(0, -8)].map(
        (text): [object, string] => [{ ...good, 'webhook-signature': text }, body],
      ),
      [signWebhook([makeWebhookSecret()], { id: 'evt_bad', timestamp: seconds(), body }), body],
      [signed('evt_bad', body, seconds() - 310), body],
      [signed('evt_bad', body, seconds() + 310), body],
    ];
    for (const [headers, sent] of forged) expect([headers, await post(url, headers, sent)]).toEqual([headers, 401]);
    const last = bodyOf('evt_last');
    expect(await post(url, signed('evt_last', last), last)).toBe(204);
    await expect.poll(lines, { timeout: deadlineMs }).toContain('message.received evt_last');
    expect(printed).not.toContain('evt_bad');
    expect(complained + printed).not.toContain(secret);
  });

  it('refuses a body of more than a megabyte', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const body = bodyOf('evt_big', 'x'.repeat(1_100_000));
    // A receiver may close the connection before it has read everything.
    const status = await post(url, signed('evt_big', body), body).catch(() => 413);
    expect(status).toBe(413);
    expect(printed).not.toContain('evt_big');
  });

  it('says which setting is missing', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const port = await freePort();
    const [program, ...args] = receiver.command(port);
    const child = spawn(program, args, { env: { ...process.env, KURIR_WEBHOOK_SECRET: '', PORT: String(port) } });
    running.add(child);
    child.once('close', () => running.delete(child));
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await vi.waitFor(
      async () => {
        // PHP reads the setting when a request comes. The others exit at once.
        await post(`http://127.0.0.1:${port}/`, {}, '{}').catch(() => undefined);
        expect(said).toContain('KURIR_WEBHOOK_SECRET is not set.');
      },
      { timeout: deadlineMs },
    );
    child.kill('SIGKILL');
  });
});
