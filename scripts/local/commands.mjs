// Starts programs so that none outlives us. Our own Node programs watch their standard input. Other programs run under
// `supervise.mjs`. Both have their own session, so that ^C reaches only the launcher. The launcher then stops
// everything in the right order.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from './paths.mjs';

const supervisor = fileURLToPath(new URL('supervise.mjs', import.meta.url));
const watcher = new URL('die-with-parent.mjs', import.meta.url).href;

/** A Node program of this project. */
export function nodeCommand(entry, args = [], env = {}, nodeFlags = []) {
  return { file: process.execPath, args: [...nodeFlags, '--import', watcher, entry, ...args], env, cwd: root };
}

/** Any other program. `signal` asks it to stop. `lingerMs` is how long it may run on after its owner was killed. */
export function foreignCommand(command, args = [], options = {}) {
  const task = { command, args, cwd: root, signal: 'SIGTERM', graceMs: 8_000, lingerMs: 0, ...options };
  return { file: process.execPath, args: [supervisor, JSON.stringify(task)], env: {}, cwd: root, supervised: true };
}

/** Starts one of the two commands above. The program stops when its standard input closes. */
export function spawnCommand({ file, args, env, cwd }, baseEnv = process.env) {
  const child = spawn(file, args, {
    cwd,
    env: { ...baseEnv, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  child.stdin.on('error', () => {}); // the program may have ended already
  return child;
}

export function askToStop(child) {
  child.stdin.end('stop\n');
}

/** Calls `onLine` for each line that the child writes to either stream. */
export function readLines(child, onLine) {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine(line);
    });
    stream.on('end', () => rest && onLine(rest));
  }
}
