/** Measures an api from outside while it is attacked: its memory, its event loop, and how fast it says that it lives. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type RunningProgram, waitUntil } from '@kurir/testing';

const run = promisify(execFile);
const memoryEveryMs = 50;

/** Goes into NODE_OPTIONS of the program. */
export const reportsEventLoop = `--import ${new URL('./report-event-loop.mjs', import.meta.url).href}`;

export type Phase = {
  readonly rss_before_mb: number;
  readonly rss_peak_mb: number;
  readonly rss_after_mb: number;
  readonly loop_p50_ms: number;
  readonly loop_p99_ms: number;
  readonly loop_max_ms: number;
  readonly live_p50_ms: number;
  readonly live_p99_ms: number;
  readonly live_max_ms: number;
  readonly seconds: number;
};

type EventLoop = { readonly p50: number; readonly p99: number; readonly max: number };

/** Resident memory in MB, as the system counts it. */
async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 102.4) / 10;
}

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;

export type Observer = {
  /** Does the work and measures the api meanwhile. */
  during(work: () => Promise<void>): Promise<Phase>;
  stop(): Promise<void>;
};

export function observe(program: RunningProgram, baseUrl: string): Observer {
  const pings = new Worker(new URL('./ping-health.mjs', import.meta.url), {
    workerData: { url: `${baseUrl}/health/live` },
  });

  async function takePings(): Promise<readonly number[]> {
    const times = once(pings, 'message');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    pings.postMessage('take');
    const [taken] = (await times) as [number[]];
    return taken.sort((a, b) => a - b);
  }

  async function takeEventLoop(): Promise<EventLoop> {
    const isReport = (line: Record<string, unknown>) => 'eventLoop' in line;
    const before = program.logs().filter(isReport).length;
    program.signal('SIGUSR2');
    const report = await waitUntil(() => program.logs().filter(isReport)[before], { what: 'the api reports its loop' });
    // `report-event-loop.mjs` writes this.
    return report['eventLoop'] as EventLoop;
  }

  return {
    async during(work) {
      const memory = [await memoryOf(program.pid)];
      await Promise.all([takePings(), takeEventLoop()]);
      const since = performance.now();
      const over = new AbortController();
      const watch = async () => {
        while (!over.signal.aborted) {
          memory.push(await memoryOf(program.pid));
          await new Promise((resolve) => setTimeout(resolve, memoryEveryMs));
        }
      };
      const watching = watch();
      await work().finally(() => over.abort());
      await watching;
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      const [loop, times] = await Promise.all([takeEventLoop(), takePings()]);
      return {
        rss_before_mb: memory[0] ?? 0,
        rss_peak_mb: Math.max(...memory),
        rss_after_mb: await memoryOf(program.pid),
        loop_p50_ms: loop.p50,
        loop_p99_ms: loop.p99,
        loop_max_ms: loop.max,
        live_p50_ms: percentile(times, 0.5),
        live_p99_ms: percentile(times, 0.99),
        live_max_ms: percentile(times, 0.999_999),
        seconds,
      };
    },
    async stop() {
      await pings.terminate();
    },
  };
}
