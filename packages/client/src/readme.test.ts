/** Runs every example of README.md against a gateway, with the built package. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentFor } from '../test/kurir-fixture.js';
import { exampleJob, type Gateway, startGateway } from '../test/gateway-fixture.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

let gateway: Gateway;
let folder: string;

beforeEach(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'kurir-readme-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
}

it.each(blocks('ts'))('TypeScript: %j', async (code) => {
  const options = { cwd: root, env: { ...environmentFor(gateway.baseUrl) } };
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], options);
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('delivered'), stderr: '' });
});

it.skipIf(process.platform === 'win32').each(blocks('sh').flatMap((block) => block.trimEnd().split('\n')))(
  'shell: %s',
  async (line) => {
    await symlink(join(root, 'bin', 'kurir.js'), join(folder, 'kurir'));
    const status = line.includes('--until read') ? 'read' : 'delivered';
    gateway.answer({ getMessage: () => exampleJob({ status }) });
    const path = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter);
    await run('sh', ['-c', line], { cwd: folder, env: { ...environmentFor(gateway.baseUrl), PATH: path } });
  },
);

it('has examples of both kinds', () => {
  expect(blocks('ts')).toHaveLength(1);
  expect(blocks('sh')).toHaveLength(1);
});
