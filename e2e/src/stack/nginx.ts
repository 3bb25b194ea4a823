/**
 * The proxy of docker-compose.yml before two apis: nginx with docker/nginx.conf. A name server gives `api` the
 * addresses of both, as that of Docker does for the containers of a service.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, waitUntil } from '@kurir/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Debian has it in a folder that only the PATH of root names. */
const path = `${process.env['PATH']}:/usr/sbin`;

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['-v'], { stdio: 'ignore', env: { PATH: path } });
    return true;
  } catch {
    return false;
  }
}

export const hasNginx = hasProgram('nginx');

const typeA = 1;

/** Gives these addresses for each question for an IPv4 address, and none for others. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const found = question.readUInt16BE(end - 4) === typeA ? addresses : [];
  const header = Buffer.from(question.subarray(0, 12));
  // An answer, with recursion. One question, no authorities, nothing additional.
  header.writeUInt16BE(0x8180, 2);
  for (const [offset, count] of [1, found.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * offset);
  const records = found.map((address) =>
    // The name of the question, type A, class IN, no time to live, four bytes.
    Buffer.from([0xc0, 0x0c, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question.subarray(12, end), ...records]);
}

async function startNameServer(addresses: readonly string[]): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => socket.send(answerTo(question, addresses), from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = socket.address();
  return { socket, port };
}

export type Proxy = { readonly url: string; stop(): Promise<void> };

/** Starts nginx before the apis at these addresses, which all have the same port. */
export async function startNginx(addresses: readonly string[], apiPort: number): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'kurir-nginx-'));
  // If root starts nginx, its workers run as another user.
  await chmod(folder, 0o755);
  const [names, port, healthPort] = await Promise.all([startNameServer(addresses), freePort(), freePort()]);
  const lines: string[] = [];
  const nginx = spawn('sh', ['docker/start-proxy.sh'], {
    cwd: root,
    env: {
      PATH: path,
      TMPDIR: folder,
      PORT: String(apiPort),
      LISTEN: `listen 127.0.0.1:${port};`,
      RESOLVER: `127.0.0.1:${names.port}`,
      HEALTH_PORT: String(healthPort),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  nginx.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')));
  const exited = new Promise((resolve) => nginx.once('exit', resolve));
  const killWithTest = () => nginx.kill();
  process.once('exit', killWithTest);
  const stop = async () => {
    nginx.kill();
    await exited;
    process.off('exit', killWithTest);
    names.socket.close();
    await rm(folder, { recursive: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const isUp = (address: string) =>
    fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await waitUntil(async () => (await isUp(`${url}/health/live`)) && isUp(`http://127.0.0.1:${healthPort}/`), {
      what: 'the proxy answers',
    });
  } catch (error) {
    await stop();
    throw new Error(lines.join(''), { cause: error });
  }
  return { url, stop };
}
