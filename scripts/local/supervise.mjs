// Runs one foreign program (Postgres, Redis, turbo) and ends it when its owner is gone, even by SIGKILL. Standard input
// is a pipe from the owner. The line "stop" means: stop now. If the pipe closes without that line, the owner died. The
// program may then run on until the apps that use it have finished.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const { command, args, cwd, env, uid, gid, signal, graceMs, lingerMs, removeDir } = JSON.parse(process.argv[2]);

const child = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  cwd,
  env: { ...process.env, ...env },
  ...(uid === undefined ? {} : { uid, gid }),
});

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), graceMs);
}

function finish(code) {
  if (removeDir) rmSync(removeDir, { recursive: true, force: true });
  process.exit(code);
}

child.once('exit', (code) => finish(code ?? 1));
child.once('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  finish(127);
});

let said = '';
process.stdin.on('data', (chunk) => {
  said += chunk;
  if (said.includes('stop')) stop();
});
process.stdin.on('end', () => (said.includes('stop') ? stop() : setTimeout(stop, lingerMs)));
process.stdin.on('error', stop);
// Only the pipe stops the program. After ^C the owner stops the apps first and the database last.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
// Nobody may be reading any more.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
