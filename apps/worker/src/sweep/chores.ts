/** A chore of a worker runs again and again, never twice at once, and survives its own failures. */
import type { Logger } from '@kurir/logging';
import { metrics } from '@kurir/metrics';

export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  /** A long chore ends soon after the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

/** Runs a chore, waits, runs it again; never twice at once. */
export function repeat(chore: Chore, log: Logger): () => void {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  metrics.choreRuns.add({ chore: chore.name, result: 'failed' }, 0);
  const round = async () => {
    const startedAt = performance.now();
    try {
      await chore.run(over.signal);
      metrics.choreRuns.add({ chore: chore.name, result: 'done' });
    } catch (err) {
      metrics.choreRuns.add({ chore: chore.name, result: 'failed' });
      log.warn({ err, chore: chore.name }, 'chore failed, will be tried again');
    }
    metrics.choreSeconds.add({ chore: chore.name }, (performance.now() - startedAt) / 1_000);
    if (!over.signal.aborted) timer = setTimeout(start, chore.everyMs);
  };
  const start = () => void round();
  start();
  return () => {
    over.abort();
    clearTimeout(timer);
  };
}

/** Starts several chores. The returned function stops them. */
export function repeatAll(chores: readonly Chore[], log: Logger): () => void {
  const stops = chores.map((chore) => repeat(chore, log));
  return () => {
    for (const stop of stops) stop();
  };
}
