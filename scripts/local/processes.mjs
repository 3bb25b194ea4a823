// Processes that an earlier run may have left behind, found by a pid that it wrote down.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a living process; null when there is none (a zombie counts as none). */
export function commandOf(pid) {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
    if (process.platform === 'win32') return windowsCommandOf(pid);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null; // gone
  }
}

function windowsCommandOf(pid) {
  const rows = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' });
  return rows.includes(`"${pid}"`) ? rows.trim() : null;
}

/** The pid in a pid file's first line, or null. */
export function pidIn(file) {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
