import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import vectors from '@kurir/signing/vectors.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { checkTimestamp } from './check-timestamp.js';
import { makeApiKeyId, makeApiSecret } from './make-api-key.js';
import { sha256Hex } from './sign-request.js';
import { verifyRequestSignature } from './verify-request-signature.js';

/** The examples show the scheme of the specification. */
const schemeOne = vectors.filter(({ version }) => version === undefined);

const repository = join(import.meta.dirname, '../../..');
const examples = join(repository, 'examples');
const workFolder = mkdtempSync(join(tmpdir(), 'kurir-examples-'));
const processTimeoutMs = 120_000;

type Example = {
  file: string;
  /** The programs that the example needs, each with an argument that makes it print something and exit. */
  needs: readonly (readonly [program: string, argument: string])[];
  /** Compiles the example, if its language needs that. */
  build?: () => Promise<Finished>;
  command: readonly [string, ...string[]];
};

const bashExample: Example = {
  file: 'send.sh',
  needs: [
    ['bash', '--version'],
    ['openssl', 'version'],
    ['curl', '--version'],
  ],
  command: ['bash', join(examples, 'send.sh')],
};

const catalogue: readonly Example[] = [
  bashExample,
  {
    file: 'send.ts',
    needs: [['node', '--version']],
    build: () => {
      writeFileSync(join(workFolder, 'package.json'), '{ "type": "module" }');
      const compiler = join(repository, 'node_modules/typescript/bin/tsc');
      return run([process.execPath, compiler, '-p', examples, '--noEmit', 'false', '--outDir', workFolder]);
    },
    command: [process.execPath, join(workFolder, 'send.js')],
  },
  { file: 'send.py', needs: [['python3', '--version']], command: ['python3', join(examples, 'send.py')] },
  { file: 'send.php', needs: [['php', '--version']], command: ['php', join(examples, 'send.php')] },
  {
    file: 'send.go',
    needs: [['go', 'version']],
    build: () => run(['go', 'build', '-o', join(workFolder, 'send-go'), join(examples, 'send.go')]),
    command: [join(workFolder, 'send-go')],
  },
];

type Finished = { code: number | null; stdout: string; stderr: string };

/** The running processes. A test that ends early must leave none behind. */
const running = new Set<ChildProcess>();

function run(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string | Uint8Array } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, timeout: processTimeoutMs });
    running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code, stdout, stderr });
    });
    // A program that does not read its input closes it early. Its exit code tells the reason.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Returns why the example cannot run here, or null. */
function missingRuntime({ file, needs }: Example): string | null {
  const absent = needs.find(([program, argument]) => spawnSync(program, [argument]).status !== 0);
  if (absent === undefined) return null;
  const note = `skipped: ${absent[0]} is not installed`;
  console.warn(`examples/${file}: ${note}`);
  return note;
}

const secret = makeApiSecret('test');
const credentials = { KURIR_API_KEY: makeApiKeyId('test'), KURIR_API_SECRET: secret, KURIR_DEVICE_ID: 'dev_example' };

/** A gateway that follows the contract and knows one key. */
const gateway = createServer((request, response) => {
  readBody(request).then(
    (body) => {
      const [status, answer] = answerFor(request, body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    (error: Error) => response.destroy(error),
  );
});

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function answerFor(request: IncomingMessage, body: Buffer): [number, object] {
  const header = (name: string) => String(request.headers[name]);
  const timestamp = header('x-timestamp');
  const matched = verifyRequestSignature({
    method: String(request.method),
    target: String(request.url),
    timestamp,
    bodySha256: sha256Hex(body),
    signature: header('x-signature'),
    secrets: [secret],
  });
  if (matched === null) return refusal(401, 'INVALID_SIGNATURE', 'The signature does not match.');
  if (checkTimestamp(timestamp, Date.now()).outcome !== 'ok') return refusal(401, 'TIMESTAMP_OUT_OF_RANGE', timestamp);
  if (request.url !== '/api/v1/messages/send') return refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
  const asSent: AsSent = {
    contentType: header('content-type'),
    key: header('x-api-key'),
    device: header('x-device-id'),
    timestamp,
    body: JSON.parse(body.toString('utf8')),
  };
  received.push(asSent);
  if (asSent.device !== credentials.KURIR_DEVICE_ID) return refusal(404, 'DEVICE_NOT_FOUND', 'Choose another device.');
  return [200, { success: true, message: 'Accepted.', data: { job_id: `msg_${received.length}` } }];
}

function refusal(status: number, code: string, error: string): [number, object] {
  return [status, { success: false, code, error }];
}

type AsSent = { contentType: string; key: string; device: string; timestamp: string; body: Record<string, unknown> };
const received: AsSent[] = [];
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  // A server on a port has an AddressInfo. Only a pipe has a string.
  baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
  rmSync(workFolder, { recursive: true });
});

describe.each(catalogue)('examples/$file', { timeout: 300_000 }, (example) => {
  const missing = missingRuntime(example);
  let built: Promise<Finished> | undefined;

  async function ready(ctx: TestContext): Promise<void> {
    if (missing !== null) ctx.skip(missing);
    built ??= example.build?.();
    expect(await built).toEqual(built && { code: 0, stdout: '', stderr: '' });
  }

  function send(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return run([...example.command, ...args], { env: { ...credentials, KURIR_BASE_URL: baseUrl, ...env } });
  }

  it('signs every published vector of scheme 1', async (ctx) => {
    await ready(ctx);
    const signatures: Record<string, string> = {};
    for (const { name, secret, method, target, timestamp, ...rest } of schemeOne) {
      const body = rest.body === undefined ? Buffer.from(rest.body_base64, 'base64') : Buffer.from(rest.body, 'utf8');
      const input = Buffer.concat([Buffer.from(`${method}\n${target}\n${timestamp}\n`), body]);
      const finished = await run([...example.command, '--sign-stdin'], { env: { KURIR_API_SECRET: secret }, input });
      signatures[name] = finished.stdout + finished.stderr;
    }
    expect(signatures).toEqual(
      Object.fromEntries(schemeOne.map(({ name, signature }) => [name, `${signature.toLowerCase()}\n`])),
    );
  });

  it('exits with 1, the code and the sentence of the error when the gateway refuses', async (ctx) => {
    await ready(ctx);
    for (const [env, code, error] of [
      [{ KURIR_DEVICE_ID: 'dev_other' }, 'DEVICE_NOT_FOUND', 'Choose another device.'],
      [{ KURIR_API_SECRET: makeApiSecret('test') }, 'INVALID_SIGNATURE', 'The signature does not match.'],
    ] as const) {
      const finished = await send(['6281234567890', 'Halo'], env);
      expect(finished).toMatchObject({ code: 1, stdout: '' });
      expect(finished.stderr).toContain(code);
      expect(finished.stderr).toContain(error);
    }
  });

  it('exits with a sentence when it cannot reach the gateway, or lacks a setting or an argument', async (ctx) => {
    await ready(ctx);
    for (const finished of [
      // Nobody listens on port 1 of this machine.
      await send(['6281234567890', 'Halo'], { KURIR_BASE_URL: 'http://127.0.0.1:1' }),
      await send(['6281234567890', 'Halo'], { KURIR_API_SECRET: '' }),
      await send(['6281234567890']),
    ]) {
      expect(finished.code).toBeGreaterThan(0);
      expect(finished.stdout).toBe('');
      expect(finished.stderr).not.toBe('');
      expect(finished.stderr).not.toContain(secret);
    }
  });

  it('sends the text unchanged, whatever it contains, and prints the job_id', async (ctx) => {
    await ready(ctx);
    const text =
      '-@ Kode "493021" \\x41 \\n & \' $HOME `id` %s 100% / <é e\u0301> 🚀\r\n\ttab \u0001 \u001f \u007f end\n';
    const finished = await send(['6281234567890', text, 'ord-7781']);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain(`msg_${received.length}`);
    expect(received.at(-1)).toEqual({
      contentType: 'application/json',
      key: credentials.KURIR_API_KEY,
      device: credentials.KURIR_DEVICE_ID,
      timestamp: expect.any(String),
      body: { message: text, phone_destination: '6281234567890', client_ref: 'ord-7781' },
    });
  });

  it('signs in milliseconds, so that the same body to a second device at once is a second request', async (ctx) => {
    await ready(ctx);
    const before = received.length;
    await send(['6281234567890', 'Halo', 'ord-1']);
    await send(['6281234567890', 'Halo', 'ord-1']);
    const timestamps = received.slice(before).map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual([expect.stringMatching(/^\d{13}$/), expect.stringMatching(/^\d{13}$/)]);
    expect(timestamps[0]).not.toBe(timestamps[1]);
  });

  it('makes a new client_ref each time when it gets none', async (ctx) => {
    await ready(ctx);
    const before = received.length;
    await send(['6281234567890', 'Halo']);
    await send(['6281234567890', 'Halo'], { KURIR_BASE_URL: `${baseUrl}/` });
    const refs = received.slice(before).map(({ body }) => body.client_ref);
    expect(refs).toEqual([expect.stringMatching(/^[0-9a-f-]{32,36}$/), expect.stringMatching(/^[0-9a-f-]{32,36}$/)]);
    expect(refs[0]).not.toBe(refs[1]);
  });
});

it('examples/send.sh never passes the secret as an argument, because ps shows arguments', async (ctx) => {
  const missing = missingRuntime(bashExample);
  if (missing !== null) ctx.skip(missing);
  const log = join(workFolder, 'arguments');
  const programs = ['openssl', 'curl', 'od', 'tr', 'cut', 'cat'];
  for (const program of programs) {
    const real = spawnSync('bash', ['-c', `type -P ${program}`], { encoding: 'utf8' }).stdout.trim();
    const stub = join(workFolder, program);
    writeFileSync(stub, `#!/bin/sh\nprintf '%s ' ${program} "$@" >> '${log}'\nexec '${real}' "$@"\n`);
    chmodSync(stub, 0o755);
  }
  // A secret of the usual length, and one so long that HMAC hashes it first.
  for (const candidate of [secret, `ks_test_${'9aZ'.repeat(24)}`]) {
    await run(['bash', join(examples, 'send.sh'), '6281234567890', 'Halo'], {
      env: {
        ...credentials,
        KURIR_API_SECRET: candidate,
        KURIR_BASE_URL: baseUrl,
        PATH: workFolder + delimiter + process.env.PATH,
      },
    });
    const seen = readFileSync(log, 'utf8');
    for (const program of programs) expect(seen).toContain(program);
    expect(seen).not.toContain(candidate.slice(8));
    expect(seen).not.toContain(Buffer.from(candidate.slice(8)).toString('hex'));
  }
});
