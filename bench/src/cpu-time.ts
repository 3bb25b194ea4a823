import { readFileSync } from 'node:fs';

/** Linux counts in ticks of 10 ms on every architecture that Node runs on. */
const msPerTick = 10;

/** CPU milliseconds that a process has used, system calls included; null where there is no /proc. */
export function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces; utime and stime are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}

/** The CPU microseconds per message since `before`, of the same process. */
export function cpuUsPerMessage(pid: number, before: number | null, messages: number): number | null {
  const now = cpuMsOf(pid);
  return now === null || before === null || messages === 0 ? null : ((now - before) * 1000) / messages;
}
