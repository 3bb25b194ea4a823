/** Pauses a process, so that work can be prepared for it. */
import { spawn } from 'node:child_process';
import type { MeasuredProcess } from './measured-process.js';

/** A paused process cannot notice that the benchmark has died. A shell wakes it after this time. */
const wokenAfterSeconds = 20;

/** Returns the function that lets the process continue. Call it before the lease of a worker ends. */
export function pause(program: MeasuredProcess): () => void {
  if (process.platform === 'win32') throw new Error('this measure pauses processes, which Windows cannot');
  const guard = spawn('sh', ['-c', `sleep ${wokenAfterSeconds}; kill -CONT ${program.pid}`], {
    detached: true,
    stdio: 'ignore',
  });
  guard.unref();
  program.signal('SIGSTOP');
  return () => {
    program.signal('SIGCONT');
    // This kills the shell and its `sleep`.
    if (guard.pid !== undefined) process.kill(-guard.pid);
  };
}
