/**
 * Long work that one worker at a time does under a lease, such as an import. A worker that stops gives its work back after
 * the present batch; the work of a worker that dies is free when its lease ends.
 */
import { isUnavailable } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { repeat } from './chores.js';

const takeEveryMs = 1_000;
const renewEveryMs = 3_000;

export type LeasedWork<T> = {
  readonly name: string;
  /** Takes the work that has waited longest. Null: there is none. */
  readonly take: () => Promise<T | null>;
  /** Returns false if the lease is lost. */
  readonly renew: (taken: T) => Promise<boolean>;
  /** Ends before the next batch if the signal is aborted. Returns a word for the log. */
  readonly run: (taken: T, signal: AbortSignal) => Promise<string>;
  /** Ends the work after an unexpected error: it would fail again and again, and hold up the work after it. */
  readonly fail: (taken: T) => Promise<unknown>;
  /** Notes a try during which Postgres took too long, or could not be reached. */
  readonly noteFailedTry?: (taken: T) => Promise<void>;
  readonly release: (taken: T) => Promise<void>;
  /** Fields for the log. */
  readonly about: (taken: T) => object;
};

/** Runs the work under its lease. It ends early if the lease is lost or `over` is aborted. */
async function runLeased<T>(work: LeasedWork<T>, taken: T, over: AbortSignal, log: Logger): Promise<void> {
  const lost = new AbortController();
  const renew = async () => {
    if (!(await work.renew(taken))) lost.abort();
  };
  const stopRenewing = repeat({ name: `renew ${work.name}`, everyMs: renewEveryMs, run: renew }, log);
  const about = { ...work.about(taken), work: work.name };
  try {
    const outcome = await work.run(taken, AbortSignal.any([over, lost.signal]));
    log.info({ ...about, outcome }, 'leased work ended');
  } catch (err) {
    if (isUnavailable(err)) {
      await work.noteFailedTry?.(taken);
      throw err;
    }
    log.error({ err, ...about }, 'leased work failed');
    await work.fail(taken);
  } finally {
    stopRenewing();
    await work.release(taken).catch((err: unknown) => log.warn({ err, ...about }, 'leased work not given back'));
  }
}

/** Does the work, one after another. Returns the function that gives the present one back and ends. */
export function startLeasedWork<T>(work: LeasedWork<T>, log: Logger): () => Promise<void> {
  const over = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const doAll = async () => {
    for (let taken = await work.take(); taken !== null; taken = await work.take()) {
      log.info({ ...work.about(taken), work: work.name }, 'leased work taken');
      await runLeased(work, taken, over.signal, log);
      if (over.signal.aborted) return;
    }
  };
  const run = () => (running = doAll());
  const stop = repeat({ name: work.name, everyMs: takeEveryMs, run }, log);
  return async () => {
    stop();
    over.abort();
    await running.catch(() => undefined);
  };
}
