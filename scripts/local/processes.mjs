// Finds processes of an earlier run by the pid that they wrote down.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the command line of a living process, or null. A zombie is not alive. */
export function commandOf(pid) {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
    if (process.platform === 'win32') return windowsCommandOf(pid);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null; // the process is gone
  }
}

function windowsCommandOf(pid) {
  const rows = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' });
  return rows.includes(`"${pid}"`) ? rows.trim() : null;
}

/** Returns the pid in the first line of a pid file, or null. */
export function pidIn(file) {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
