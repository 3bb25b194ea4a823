import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that systems give to outgoing connections. Such a connection could take the port before the server.
 */
const [FIRST, END] = [20_000, 32_000];

/** One file for each port that a test process has got, with the id of the process. */
const FOLDER = join(tmpdir(), 'kurir-test-ports');

/**
 * Returns a port of 127.0.0.1 that nobody listens on, and another one at each call. No other test process of this machine
 * gets it while this one runs. So the server of the test finds it free when it starts later.
 */
export async function freePort(): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  for (;;) {
    const port = randomInt(FIRST, END);
    if (reserve(port) && (await isFree(port))) return port;
  }
}

function reserve(port: number): boolean {
  const file = join(FOLDER, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Somebody has it. A process that has ended needs it no more; the next call may take it.
    const owner = ownerOf(file);
    if (owner !== null && !isRunning(owner)) rmSync(file, { force: true });
    return false;
  }
}

/** Null while another process is writing the file, or has just removed it. */
function ownerOf(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8');
    return text === '' ? null : Number(text);
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
