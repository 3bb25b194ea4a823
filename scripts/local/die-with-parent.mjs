// Loaded with --import into our own Node programs. Standard input is a pipe from whoever started the program; when it
// closes, on purpose or because that process was killed, the program gets its SIGTERM and has 16 seconds to finish.
import { isMainThread } from 'node:worker_threads';

const GRACE_MS = 16_000;

// Worker threads inherit --import, but not the duty.
if (isMainThread) {
  process.stdin.on('end', stop).on('error', stop).resume();
  process.stdin.unref?.();
  // With the reader gone, a last log line must not become an uncaught EPIPE in the middle of the farewell.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

function stop() {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  // Windows has no SIGTERM that can be caught, so there the listeners are called.
  if (process.platform !== 'win32') process.kill(process.pid, 'SIGTERM');
  else if (!process.emit('SIGTERM')) process.exit(0);
}
