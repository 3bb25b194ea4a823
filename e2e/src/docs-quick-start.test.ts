/** The quick start and the bot, as a reader copies them from the page: installed, run, and delivered. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, expect, test, type TestContext } from 'vitest';
import type { Customer } from './customers/customer.js';
import { sampleGroups } from './docs-site/samples.js';
import { readInbox, writeFrom } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const isThere = (program: string, args: string[]) => spawnSync(program, args).status === 0;
const hasPhp = isThere('php', ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']);
const hasPython = isThere('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);

type Group = Readonly<Record<string, string>>;
type Language = 'TypeScript' | 'kurir' | 'Python' | 'PHP' | 'curl';

let stack: Stack;
let customer: Customer;
let folder: string;
let [install, send, events, bot]: Group[] = [];
const started = new Set<ChildProcess>();

const groupsOn = async (page: string) => sampleGroups(await (await fetch(`${stack.baseUrl}/docs/${page}`)).text());

const env = () => ({
  ...process.env,
  PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  PYTHONPATH: join(root, 'clients/python/src'),
  KURIR_BASE_URL: stack.baseUrl,
  KURIR_API_KEY: customer.apiKey,
  KURIR_API_SECRET: customer.apiSecret,
  KURIR_DEVICE_ID: customer.deviceId,
});

/** Installs from the path of the project, as the page says. */
const shell = (code: string) =>
  run('bash', ['-euc', code.replaceAll('/path/to/kurir', root)], { cwd: folder, env: env() });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurir-quick-start-'));
  stack = await startStack();
  customer = await stack.createCustomer();
  [install, send, events] = await groupsOn('quick-start');
  [bot] = await groupsOn('bots');
});
afterEach(() => {
  for (const child of started) child.kill();
  started.clear();
});
afterAll(async () => {
  await stack?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Compiles the program with the types of the installed client, and returns the path of what node runs. */
async function compile(name: string, code: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), code);
  const options = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] }));
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));
  return join(folder, `${name}.js`);
}

const prepare: Record<Language, () => Promise<unknown>> = {
  async TypeScript() {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await shell(`${install?.['TypeScript']?.trim()} --offline --no-audit --no-fund`);
  },
  async kurir() {
    await shell(`${install?.['kurir']?.trim()} --prefix ${folder} --offline --no-audit --no-fund`);
  },
  Python: async () => {},
  async PHP() {
    await mkdir(join(folder, 'vendor'), { recursive: true });
    await writeFile(join(folder, 'vendor/autoload.php'), `<?php require '${join(root, 'clients/php/autoload.php')}';`);
  },
  curl: () => shell(install?.['curl'] ?? ''),
};

async function commandFor(language: Language, code: string): Promise<readonly [string, ...string[]]> {
  if (language === 'TypeScript') return [process.execPath, await compile('program', code)];
  if (language === 'Python') return ['python3', '-W', 'error', '-c', code];
  if (language !== 'PHP') return ['bash', '-euc', code];
  await writeFile(join(folder, 'program.php'), code);
  return ['php', join(folder, 'program.php')];
}

async function output(language: Language, group: Group | undefined): Promise<string> {
  const [program, ...args] = await commandFor(language, group?.[language] ?? '');
  const { stdout } = await run(program, args, { cwd: folder, env: env() });
  return stdout;
}

function skipWithout(language: Language, ctx: TestContext): void {
  if (language === 'PHP' && !hasPhp) ctx.skip('skipped: PHP 8.1 or later with the extension curl is not installed');
  if (language === 'Python' && !hasPython) ctx.skip('skipped: python3 of version 3.9 or later is not installed');
}

test('the Indonesian pages have the same programs', async () => {
  expect(await groupsOn('id/quick-start')).toEqual([install, send, events]);
  expect(await groupsOn('id/bots')).toEqual([bot]);
});

test('the page has the same five languages everywhere', () => {
  for (const group of [install, send, events])
    expect(Object.keys(group ?? {})).toEqual(['TypeScript', 'kurir', 'Python', 'PHP', 'curl']);
});

test.for(['TypeScript', 'kurir', 'Python', 'PHP', 'curl'] as const)(
  '%s: installs, sends one message, and hears that it arrived',
  async (language, ctx) => {
    skipWithout(language, ctx);
    await prepare[language]();
    const before = (await customer.client.listMessages()).messages.length;
    const sent = await output(language, send);
    const { messages } = await customer.client.listMessages();
    expect(messages.length).toBe(before + 1);
    expect(messages[0]).toMatchObject({ phoneDestination: '6281234567890', priority: 'otp' });
    const { jobId } = messages[0] ?? { jobId: '' };
    expect(sent).toContain(jobId);
    // The person may have read it by then.
    if (language !== 'curl') expect(sent).toMatch(/delivered|read/);
    await customer.client.waitForJob(jobId, { until: 'delivered' });
    expect(await output(language, events)).toMatch(/message\.delivered[\s\S]*msg_\w+/);
  },
);

test.for(['TypeScript', 'Python'] as const)('%s: the bot answers a person once', async (language, ctx) => {
  skipWithout(language, ctx);
  await prepare[language]();
  const person = language === 'Python' ? '6281234567901' : '6281234567902';
  const [program, ...args] = await commandFor(language, bot?.[language] ?? '');
  started.add(spawn(program, args, { cwd: folder, env: env(), stdio: 'ignore' }));
  const [device] = (await customer.client.listDevices()).devices;
  await writeFrom(stack, person, device?.phoneNumber ?? '', 'Halo');
  const answers = async () => (await readInbox(stack, person)).map(({ text }) => text);
  await waitUntil(async () => (await answers()).includes('You wrote: Halo'), { what: 'the bot answers' });
  expect(await answers()).toEqual(['You wrote: Halo']);
});
