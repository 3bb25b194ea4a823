/**
 * CPU time per message of every process that takes part. It depends little on other work of the machine, and it
 * predicts the throughput of a larger one. It comes from Linux' /proc; other systems have no figures.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts ticks of this length on every architecture that Node runs on. */
const msPerTick = 10;

/** A process with the name of its figures. `withChildren` is for a server that forks a process for each connection. */
export type Clocked = { readonly name: string; readonly pid: number; readonly withChildren?: boolean };

/** CPU microseconds per message by process. A process is missing if the operating system does not report its time. */
export type CpuUs = Readonly<Record<string, number>>;

type Stat = { readonly parent: number; readonly ownMs: number; readonly reapedMs: number };

function readStat(pid: number | string): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may contain spaces. The parent is the 4th field; utime, stime,
    // cutime and cstime are the 14th to 17th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (at: number) => Number(fields[at]) * msPerTick;
    return { parent: Number(fields[1]), ownMs: ticks(11) + ticks(12), reapedMs: ticks(13) + ticks(14) };
  } catch {
    return null;
  }
}

export const parentOf = (pid: number): number | null => readStat(pid)?.parent ?? null;

function childrenMs(parent: number): number {
  const stats = readdirSync('/proc').map((name) => (/^\d+$/.test(name) ? readStat(name) : null));
  return stats.reduce((sum, stat) => (stat?.parent === parent ? sum + stat.ownMs : sum), 0);
}

function usedMs({ pid, withChildren = false }: Clocked): number | null {
  const stat = readStat(pid);
  if (stat === null) return null;
  return withChildren ? stat.ownMs + stat.reapedMs + childrenMs(pid) : stat.ownMs;
}

/** CPU milliseconds that a process has used, including system calls; null without /proc. */
export const cpuMsOf = (pid: number): number | null => readStat(pid)?.ownMs ?? null;

/** Starts the clocks. The returned function reads them and divides the time by the number of messages. */
export function startClocks(processes: readonly Clocked[]): (messages: number) => CpuUs {
  const before = processes.map(usedMs);
  return (messages) =>
    Object.fromEntries(
      processes.flatMap((process, i): [string, number][] => {
        const [then, now] = [before[i] ?? null, usedMs(process)];
        return then === null || now === null || messages === 0
          ? []
          : [[process.name, ((now - then) * 1000) / messages]];
      }),
    );
}
