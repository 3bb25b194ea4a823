/** The program behind the `kurir` command. */
import { runKurir } from './cli/run-kurir.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `kurir list | head` closes the pipe early, which is its right.
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runKurir(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
});
