/** Deletes many rows in short statements, so that none holds locks for long. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Runs a statement that deletes at most some rows until it finds none. Returns how many it deleted. */
export async function deleteAll(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await pool.query(text, [...values]);
    if (rowCount === null || rowCount === 0) return total;
    total += rowCount;
  }
}

/** A pause lasts this many times as long as the batch before it. */
const pauseFactor = 39;

/** `isLast`: no rows are left for another batch. */
export type BatchResult = { readonly deleted: number; readonly isLast: boolean };

/**
 * Runs batches with pauses that leave Postgres free for requests. Returns how many rows were deleted. After the signal aborts,
 * no further batch begins.
 */
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
