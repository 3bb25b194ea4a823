/** Runs the `kurir` command: in this process, with streams that keep the text, or as the built program. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { apiKey, apiSecret } from './gateway-fixture.js';
import type { Surroundings } from '../src/cli/terminal/cli.js';
import type { Environment } from '../src/cli/terminal/read-settings.js';
import { runKurir } from '../src/cli/run-kurir.js';

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

export function environmentFor(baseUrl: string): Environment {
  return { KURIR_BASE_URL: baseUrl, KURIR_API_KEY: apiKey, KURIR_API_SECRET: apiSecret, KURIR_DEVICE_ID: 'dev_1' };
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

export async function runHere(
  args: readonly string[],
  environment: Environment,
  more: Partial<Surroundings> & { input?: string } = {},
): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (written[name] += text) });
  const { input = '', ...surroundings } = more;
  const code = await runKurir(args, {
    stdin: chunks(input),
    stdout: output('stdout'),
    stderr: output('stderr'),
    folder: '/',
    version: '1.2.3',
    environment,
    ...surroundings,
  });
  return { code, ...written };
}

const program = fileURLToPath(new URL('../bin/kurir.js', import.meta.url));

/** Needs the built package, as `npm test` builds it. The program gets only this environment. */
export function startProgram(
  args: readonly string[],
  environment: Environment,
  folder: string,
): { ended: Promise<Ran>; interrupt: () => void } {
  let interrupt = (): void => {};
  const ended = new Promise<Ran>((resolve) => {
    const options = { env: environment, cwd: folder };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
    interrupt = () => void child.kill('SIGINT');
  });
  return { ended, interrupt: () => interrupt() };
}

export const runProgram = (...program: Parameters<typeof startProgram>): Promise<Ran> => startProgram(...program).ended;
