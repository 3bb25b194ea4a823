/** Installs the package that `npm publish` would upload, in an empty folder and without a network, and uses it. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { environmentFor, type Ran } from '../test/kurir-fixture.js';
import { exampleJob, type Gateway, startGateway } from '../test/gateway-fixture.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const isWindows = process.platform === 'win32';
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');

let folder: string;
let installed: string;
let gateway: Gateway;

type Place = { readonly cwd: string; readonly env?: Record<string, string | undefined> };

/** The program gets this Node, the PATH of this process, its own home and no other setting. */
function run(file: string, args: readonly string[], { cwd, env }: Place): Promise<Ran> {
  const own = isWindows ? { SystemRoot: process.env['SystemRoot'], APPDATA: folder, USERPROFILE: folder } : {};
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const environment = { PATH: path, HOME: folder, ...own, ...env };
  // On Windows npm and its linked commands are scripts for a shell.
  const shell = isWindows && file !== process.execPath;
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env: environment, shell }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
}

async function npm(args: readonly string[], cwd: string, settings: Record<string, string> = {}): Promise<void> {
  const ran = await run('npm', args, { cwd, env: { npm_config_cache: join(folder, 'npm-cache'), ...settings } });
  expect(ran).toMatchObject({ code: 0 });
}

const node = (args: readonly string[], more: Record<string, string> = {}) =>
  run(process.execPath, args, { cwd: folder, env: { ...environmentFor(gateway.baseUrl), ...more } });

const kurir = (...args: string[]) =>
  run(join('node_modules', '.bin', 'kurir'), args, { cwd: folder, env: { ...environmentFor(gateway.baseUrl) } });

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(path.length + 1)
      .replaceAll(sep, '/'),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurir-published-'));
  installed = join(folder, 'node_modules', '@kurir', 'client');
  // Without scripts: `npm test` has built the package, and other tests are reading it.
  await npm(['pack', '--ignore-scripts'], root, { npm_config_pack_destination: folder });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const connect = (secret: string) => `createClient({
  baseUrl: process.env.KURIR_BASE_URL, apiKey: process.env.KURIR_API_KEY, apiSecret: ${secret}, deviceId: 'dev_1',
})`;
const sendOne = `sendMessage({ message: 'Halo', phoneDestination: '6281234567890' })`;

const programs = {
  'import.mjs': `
    import { createClient, KurirError } from '@kurir/client';
    const refused = await ${connect(`'ks_wrong'`)}.${sendOne}.catch((error) => error);
    console.log(refused instanceof KurirError, refused.code);
    console.log(await ${connect('process.env.KURIR_API_SECRET')}.${sendOne});
  `,
  'require.cjs': `
    const { createClient, KurirError } = require('@kurir/client');
    (async () => {
      const refused = await ${connect(`'ks_wrong'`)}.${sendOne}.catch((error) => error);
      console.log(refused instanceof KurirError, refused.code);
      console.log(await ${connect('process.env.KURIR_API_SECRET')}.${sendOne});
    })();
  `,
};

it.each(Object.entries(programs))('signs a message that the gateway accepts: %s', async (name, source) => {
  await writeFile(join(folder, name), source);
  await expect(node([name])).resolves.toEqual({
    code: 0,
    stdout: "true INVALID_SIGNATURE\n{ jobId: 'msg_1' }\n",
    stderr: '',
  });
  expect(gateway.received).toHaveLength(2);
  expect(gateway.accepted.map(({ operation }) => operation)).toEqual(['sendMessage']);
});

it('a program that imports the client does not load the command', async () => {
  await writeFile(join(folder, 'load.mjs'), `import '@kurir/client';`);
  const coverage = join(folder, 'coverage');
  await mkdir(coverage);
  await node(['load.mjs'], { NODE_V8_COVERAGE: coverage });
  const [report = ''] = await readdir(coverage);
  const { result }: { result: { url: string }[] } = JSON.parse(await readFile(join(coverage, report), 'utf8'));
  const loaded = result.filter(({ url }) => url.includes('/@kurir/client/')).map(({ url }) => fileURLToPath(url));
  const sources = await Promise.all(loaded.map((path) => readFile(path, 'utf8')));
  expect(sources.some((text) => text.includes('function createClient'))).toBe(true);
  expect(sources.some((text) => text.includes('CommanderError'))).toBe(false);
  await expect(readFile(join(installed, 'dist', 'kurir.js'), 'utf8')).resolves.toContain('CommanderError');
});

const typed = {
  'right.ts': `
    import { createClient, type Job, type KurirErrorCode, KurirWebhookError, verifyWebhook } from '@kurir/client';
    export const code: KurirErrorCode = 'QUOTA_EXHAUSTED';
    export async function send(): Promise<Job['status']> {
      const kurir = createClient({ baseUrl: '', apiKey: '', apiSecret: '' });
      const { jobId } = await kurir.sendMessage({ message: 'Halo', phoneDestination: '62', priority: 'otp' });
      const { status } = await kurir.waitForJob(jobId, { until: 'delivered' });
      return status === 'read' ? 'delivered' : status;
    }
    export function receive(request: Request, body: Uint8Array): string {
      try {
        const event = verifyWebhook('whsec_', request.headers, body);
        return event.type === 'message.failed' ? String(event.data.reason) : event.id;
      } catch (error) {
        return error instanceof KurirWebhookError ? error.reason : 'unknown';
      }
    }
  `,
  'right.cts': `
    import { createClient, KurirError } from '@kurir/client';
    export const kurir = createClient({ baseUrl: '', apiKey: '', apiSecret: '' });
    export const isRefusal = (error: unknown): boolean => error instanceof KurirError && error.status === 409;
  `,
  'wrong.ts': `
    import { type Job, type KurirClient, type SendMessageInput, verifyWebhook } from '@kurir/client';
    export const input: SendMessageInput = { message: 'Halo', phoneDestination: '62', priority: 'urgent' };
    export const isGone = (job: Job) => job.status === 'gone';
    export const count = async (kurir: KurirClient) => (await kurir.listDevices()).devices.size;
    export const text = async (kurir: KurirClient): Promise<number> => (await kurir.latestPlan()).planName;
    export const parsed = (headers: Headers) => verifyWebhook('whsec_', headers, { id: 'evt_1' });
  `,
};

const complaints = [
  'wrong.ts(3): error TS2322',
  'wrong.ts(4): error TS2367',
  'wrong.ts(5): error TS2339',
  'wrong.ts(6): error TS2322',
  'wrong.ts(7): error TS2353',
];

const nodeTypes = join(createRequire(import.meta.url).resolve('@types/node/package.json'), '..', '..');

it.each([
  ["a browser's types", {}],
  ["Node's types", { lib: ['es2023'], types: ['node'], typeRoots: [nodeTypes] }],
])('declares its types completely: checked with %s', async (_name, options) => {
  for (const [name, source] of Object.entries(typed)) await writeFile(join(folder, name), source);
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, module: 'nodenext' };
  const compilerOptions = { ...strict, moduleResolution: 'nodenext', noEmit: true, types: [], ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(typed) }));
  const { stdout } = await node([tsc, '--pretty', 'false', '-p', '.']);
  const lines = stdout.split('\n').filter((line) => /^\S/.test(line));
  expect(lines.map((line) => line.replace(/,\d+\)(.*TS\d+):.*$/, ')$1'))).toEqual(complaints);
});

it('installs the kurir command', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await expect(kurir('--version')).resolves.toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  await expect(kurir('--help')).resolves.toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: kurir ') });
  const sent = await kurir('send', '6281234567890', 'Halo', '--json');
  expect({ ...sent, stdout: JSON.parse(sent.stdout) }).toEqual({ code: 0, stdout: { job_id: 'msg_1' }, stderr: '' });
  expect(gateway.accepted.map(({ operation }) => operation)).toEqual(['sendMessage']);
});

it('the command explains a reason with the text of the contracts', async () => {
  gateway.answer({ getMessage: () => exampleJob({ status: 'failed', reason: 'no_answer' }) });
  const { code, stdout } = await kurir('status', 'msg_1');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('The network never said') });
});

it('needs no other package, and names the packages that it contains', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(manifest).not.toHaveProperty('optionalDependencies');
  expect(manifest).toMatchObject({ name: '@kurir/client', private: false, license: 'MIT' });
  expect(Object.keys(manifest.scripts)).toEqual(['build', 'prepack']);
  const packages = await readdir(join(folder, 'node_modules'));
  expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['@kurir']);
  const licences = await readFile(join(installed, 'dist', 'third-party-licenses.txt'), 'utf8');
  expect(licences.match(/^\S+ \d+\.\d+\.\d+$/gm)?.map((line) => line.split(' ')[0])).toEqual([
    'commander',
    'picocolors',
    'uqr',
  ]);
  const ours = await readFile(join(root, '..', '..', 'LICENSE'), 'utf8');
  await expect(readFile(join(installed, 'LICENSE'), 'utf8')).resolves.toBe(ours);
});

const expectedFile =
  /^(?:LICENSE|README\.md|package\.json|bin\/kurir\.js|dist\/[a-z]+\.js|dist\/third-party-licenses\.txt|dist\/types\/(?:(?:calls|contract|webhooks)\/)?[a-z-]+\.d\.ts)$/;

it('contains the code and its types, and nothing else of the workspace', async () => {
  const files = await filesIn(installed);
  expect(files.filter((file) => !expectedFile.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/kurir.js', 'dist/types/index.d.ts']));
  const code = files.filter((file) => /^(?:bin|dist)\//.test(file));
  for (const file of code) {
    const text = await readFile(join(installed, file), 'utf8');
    expect(text.match(/@kurir\/(?!client)|packages\/|node_modules\/|sourceMappingURL/), file).toBeNull();
    expect(text.includes(root), file).toBe(false);
  }
});
