/** Stops a process in mid-breath, so that work can be laid out in front of it. */
import { spawn } from 'node:child_process';
import type { MeasuredProcess } from './measured-process.js';

/** A process that is stopped cannot hear that we are gone: somebody else wakes it then. */
const wokenAfterSeconds = 20;

/** The answer lets it go on. A worker's lease outlives some ten seconds of this, not more. */
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
    // Its sleep goes with it.
    if (guard.pid !== undefined) process.kill(-guard.pid);
  };
}
