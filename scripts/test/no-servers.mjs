// Runs before each quick test file. A test that opens a socket or starts a program fails, even if it catches the error.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterAll, afterEach } from 'vitest';

const reached = [];

function forbid(owner, name) {
  owner[name] = () => {
    reached.push(name);
    throw new Error(`A quick test called ${name}: it must reach no server and start no program.`);
  };
}

forbid(net.Socket.prototype, 'connect');
forbid(net.Server.prototype, 'listen');
forbid(dgram.Socket.prototype, 'bind');
forbid(childProcess.ChildProcess.prototype, 'spawn');
forbid(childProcess, 'spawnSync');
forbid(childProcess, 'execFileSync');
forbid(childProcess, 'execSync');
syncBuiltinESMExports();

/** Returns the functions that were called since the last time. */
export const reachedOut = () => reached.splice(0);

function check() {
  const calls = reachedOut();
  if (calls.length > 0) throw new Error(`A quick test called ${calls.join(', ')}. See scripts/test/quick-files.mjs.`);
}

afterEach(check);
afterAll(check);
