// Loaded with --import into our own Node programs. Standard input is a pipe from the process that started the program.
// When the pipe closes, the program gets a SIGTERM and has `GRACE_MS` to finish. The pipe also closes if that process
// is killed.
import { isMainThread } from 'node:worker_threads';

const GRACE_MS = 16_000;

// Worker threads inherit --import, but only the main thread must stop the program.
if (isMainThread) {
  process.stdin.on('end', stop).on('error', stop).resume();
  process.stdin.unref?.();
  // Nobody may be reading any more. A last log line must not cause an uncaught EPIPE during shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

function stop() {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  // A program on Windows cannot catch SIGTERM, so this calls the listeners.
  if (process.platform !== 'win32') process.kill(process.pid, 'SIGTERM');
  else if (!process.emit('SIGTERM')) process.exit(0);
}
