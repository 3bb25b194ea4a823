/** The samples of the reference: each sends the request for which it stands, in every language that is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signRequest } from '@kurir/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawl } from './docs-site/crawl.js';
import { type Recorded, type Recorder, startRecorder } from './docs-site/recorder.js';
import { sampleGroups } from './docs-site/samples.js';
import { type Stack, startStack } from './stack/stack.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const kurir = join(root, 'packages/client/dist/kurir.js');
const hasPhp =
  spawnSync('php', ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']).status === 0;
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

type Page = { readonly name: string; readonly samples: Readonly<Record<string, string>>; readonly call: Recorded };

let stack: Stack;
let recorder: Recorder;
let folder: string;
let pages: Page[];

/** The form of the page begins with the call that the samples make. */
function readCall(html: string): Recorded {
  const field = (label: string) => new RegExp(`<span>${label}</span><(?:input|textarea)[^>]*?`).source;
  const target = new RegExp(`${field('(\\w+), path and query')}value="([^"]*)"`).exec(html);
  const body = new RegExp(`${field('Body')}>([\\s\\S]*?)</textarea>`).exec(html);
  const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  if (target === null) throw new Error('the page has no form');
  const parsed: unknown = body === null ? null : JSON.parse(plain(body[1] ?? ''));
  return { method: target[1] ?? '', target: plain(target[2] ?? ''), body: parsed, version: '2' };
}

beforeAll(async () => {
  // Inside the repository, where Node finds the packages.
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
  folder = await mkdtemp(join(root, 'node_modules/.cache/docs-samples-'));
  [stack, recorder] = await Promise.all([startStack({ workers: 0 }), startRecorder()]);
  const found = await crawl(stack.baseUrl, ['/docs/reference']);
  pages = [...found.pages.values()]
    .filter(({ address }) => address.startsWith('/docs/reference/') && !address.endsWith('/event-types'))
    .map(({ address, html }) => ({
      name: address.slice('/docs/reference/'.length),
      samples: sampleGroups(html)[0] ?? {},
      call: readCall(html),
    }));
});
afterAll(async () => {
  await Promise.all([stack?.stop(), recorder?.stop()]);
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const env = () => ({
  ...process.env,
  KURIR_BASE_URL: recorder.url,
  KURIR_API_KEY: 'kk_test_0123456789',
  KURIR_API_SECRET: 'ks_test_0123456789',
  KURIR_DEVICE_ID: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
});

/** Two addresses are the same if their queries have the same pairs. */
function comparable({ method, target, body, version }: Recorded): Recorded {
  const { pathname, searchParams } = new URL(target, 'http://gateway');
  searchParams.sort();
  // A client adds a reference of its own to a message without one.
  const text = JSON.stringify(body, (key, value: unknown) => (key === 'client_ref' ? undefined : value));
  return { method, target: `${pathname}?${searchParams}`, body: JSON.parse(text) as unknown, version };
}

/** A sample asks for this address first, so that the recorder knows whose requests follow. */
const markOf = (name: string) => `/next/${name}`;

/** `send` runs all samples of a language, one after the other, each after its mark. Compares what they sent. */
async function expectSameCalls(send: () => Promise<unknown>): Promise<void> {
  recorder.take();
  await send();
  const recorded = recorder.take();
  for (const { name, call } of pages) {
    const mark = recorded.findIndex(({ target }) => target === markOf(name));
    expect(mark, name).toBeGreaterThanOrEqual(0);
    const sent = recorded[mark + 1];
    expect(sent && comparable(sent), name).toEqual(comparable(call));
  }
}

/** Runs each program on its own. */
async function oneByOne(language: string, send: (code: string) => Promise<unknown>): Promise<void> {
  for (const { name, samples } of pages) {
    await fetch(recorder.url + markOf(name));
    await send(samples[language] ?? '');
  }
}

test('every operation has a page with samples in five languages', () => {
  expect(pages.length).toBeGreaterThan(70);
  for (const { name, samples } of pages)
    expect([name, ...Object.keys(samples)]).toEqual([name, 'TypeScript', 'kurir', 'Python', 'PHP', 'curl']);
});

test('the gateway understands every call that the samples and the forms make', async () => {
  const customer = await stack.createNewcomer();
  for (const { name, call } of pages) {
    const { method, target } = call;
    const parts = {
      method,
      target,
      timestamp: String(Date.now()),
      body: call.body === null ? '' : JSON.stringify(call.body),
    };
    const answer = await fetch(stack.baseUrl + target, {
      method,
      headers: {
        'X-API-Key': customer.apiKey,
        'X-Timestamp': parts.timestamp,
        'X-Signature': signRequest({ ...parts, secret: customer.apiSecret }),
        'X-Device-Id': 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
        ...(call.body === null ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(call.body === null ? {} : { body: parts.body }),
    });
    // The things that the samples name do not exist here, and the account has no plan.
    expect([200, 402, 404, 409], `${name}: ${await answer.text()}`).toContain(answer.status);
  }
});

test('TypeScript: the samples compile, and send their calls', async () => {
  for (const { name, samples } of pages) await writeFile(join(folder, `${name}.ts`), samples['TypeScript'] ?? '');
  const options = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    types: ['node'],
    skipLibCheck: true,
    rootDir: folder,
    outDir: join(folder, 'built'),
  };
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc');
  const compiled = await run(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(compiled).toBe('');
  const imports = pages.map(({ name }) => [
    `await fetch('${recorder.url}${markOf(name)}');`,
    `await import('./built/${name}.js');`,
  ]);
  await writeFile(join(folder, 'all.js'), imports.flat().join('\n'));
  await expectSameCalls(() => run(process.execPath, [join(folder, 'all.js')], { env: env() }));
});

test('Python: the samples send their calls', async (ctx) => {
  if (!hasPython) ctx.skip('skipped: python3 of version 3.9 or later is not installed');
  const programs = pages.map(({ name, samples }) => [recorder.url + markOf(name), samples['Python']]);
  await writeFile(join(folder, 'samples.json'), JSON.stringify(programs));
  const code = `import json, urllib.request
for mark, program in json.load(open("samples.json")):
    urllib.request.urlopen(mark).close()
    exec(program, {})`;
  const PYTHONPATH = join(root, 'clients/python/src');
  await expectSameCalls(() =>
    run('python3', ['-W', 'error::DeprecationWarning', '-c', code], { cwd: folder, env: { ...env(), PYTHONPATH } }),
  );
});

test('PHP: the samples send their calls', async (ctx) => {
  if (!hasPhp) ctx.skip('skipped: PHP 8.1 or later with the extension curl is not installed');
  await mkdir(join(folder, 'vendor'));
  await writeFile(join(folder, 'vendor/autoload.php'), `<?php require '${join(root, 'clients/php/autoload.php')}';`);
  await expectSameCalls(() =>
    oneByOne('PHP', async (code) => {
      await writeFile(join(folder, 'sample.php'), code);
      return run('php', [join(folder, 'sample.php')], { cwd: folder, env: env() });
    }),
  );
});

test('curl: the samples send their calls', async () => {
  await cp(join(root, 'examples/kurir-curl.sh'), join(folder, 'kurir-curl.sh'));
  await expectSameCalls(() => oneByOne('curl', (code) => run('bash', ['-euc', code], { cwd: folder, env: env() })));
});

test('kurir: every sample names words and options that the command has', async () => {
  const helps = new Map<string, Promise<string>>();
  const help = (words: string) => {
    if (!helps.has(words))
      helps.set(
        words,
        run(process.execPath, [kurir, ...words.split(' '), '--help'], { env: env() }).then(({ stdout }) => stdout),
      );
    return helps.get(words) ?? '';
  };
  for (const { name, samples } of pages) {
    const [, line = ''] = /^\s*kurir (.*?)(?: >.*)?$/m.exec((samples['kurir'] ?? '').replace(/ \\\n/g, ' ')) ?? [];
    const bare = line.replace(/'[^']*'|"[^"]*"/g, 'TEXT');
    // A word after an option may be its value.
    const words = (bare.split(' --')[0] ?? '').split(' ');
    const two = await help(words.slice(0, 2).join(' '));
    const text = two.startsWith(`Usage: kurir ${words.slice(0, 2).join(' ')} [`) ? two : await help(words[0] ?? '');
    expect(text, name).toContain(`Usage: kurir ${words[0]}`);
    for (const option of bare.match(/--[a-z-]+/g) ?? []) expect(text, `${name}: ${line}`).toContain(option);
  }
});
