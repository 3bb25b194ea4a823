/** Deleting in bites that hold nobody up. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Each pause is so many times as long as the bite before, so that passes do not slow down requests. */
const pauseFactor = 39;

export type Bite = { readonly deleted: number; readonly isLast: boolean };

/** Returns how many rows went. Once the signal is aborted no further bite is taken. */
export async function inBites(bite: () => Promise<Bite>, signal: AbortSignal): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { deleted, isLast } = await bite();
    total += deleted;
    if (isLast) break;
    const pauseMs = pauseFactor * (performance.now() - startedAt);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return total;
}
