/** Deletes rows in batches, with pauses that leave Postgres free for requests. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A pause lasts this many times as long as the batch before it. */
const pauseFactor = 39;

/** `isLast`: no rows are left for another batch. */
export type BatchResult = { readonly deleted: number; readonly isLast: boolean };

/** Returns how many rows were deleted. After the signal aborts, no further batch begins. */
export async function runInBatches(deleteBatch: () => Promise<BatchResult>, signal: AbortSignal): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { deleted, isLast } = await deleteBatch();
    total += deleted;
    if (isLast) break;
    const pauseMs = pauseFactor * (performance.now() - startedAt);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return total;
}
