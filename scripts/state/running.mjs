// Only one launcher may run in a state folder. It listens on a local port and sends the token in `running.json` to
// every caller. So a crashed launcher does not look alive, even if another process has its pid.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';

const fileIn = (stateDir) => join(stateDir, 'running.json');

/** Returns what the running launcher of this folder wrote about itself, or null. */
export async function findRunning(stateDir) {
  const running = readJson(fileIn(stateDir));
  return running && (await askToken(running.lockPort)) === running.token ? running : null;
}

/** Takes the folder. Throws if another launcher has it. Returns `{describe(facts), release()}`. */
export async function takeStateDir(stateDir) {
  const other = await findRunning(stateDir);
  if (other) throw new AlreadyRunning(other);
  const token = randomBytes(16).toString('hex');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(token);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  server.unref();
  const claim = { pid: process.pid, lockPort: server.address().port, token };
  writeJson(fileIn(stateDir), claim);
  // Two launchers may start in the same moment. The file names the winner.
  if (readJson(fileIn(stateDir)).token !== token) throw new AlreadyRunning(readJson(fileIn(stateDir)));
  return {
    describe: (facts) => writeJson(fileIn(stateDir), { ...claim, ...facts }),
    release() {
      server.close();
      if (readJson(fileIn(stateDir))?.token === token) rmSync(fileIn(stateDir));
    },
  };
}

export class AlreadyRunning extends Error {
  constructor({ pid, base_url }) {
    super(`Kurir already runs in this folder (pid ${pid}${base_url ? `, ${base_url}` : ''}). Stop it first with ^C.`);
    this.name = 'AlreadyRunning';
  }
}

function askToken(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
  });
}
