/**
 * The time limits of a worker. Their order must hold; `time-limits.test.ts` checks it. The worker logs settings that break it.
 */
import { leaseTtlMs } from '@kurir/database';

/** Leases are renewed this often, also while the worker stops. */
export const renewLeasesEveryMs = 5_000;
/** A worker that could not renew for so long closes its sessions. The margin covers clocks that run at different speeds. */
export const fenceAfterMs = leaseTtlMs - 3_000;
/** A device that is handed over waits so long for its last answer. Then its session is closed. */
export const handOverMs = 11_000;
/** After the hand-over, the worker has so long to store the last outcomes. */
export const storingMs = 1_000;
/** A worker that has not stopped by then exits; its leases expire. Docker waits longer than this. */
export const stopMs = 14_000;

/** A hand-over needs so much time after the last answer. */
const marginMs = 500;

/** Returns a sentence for the log for each setting that breaks the order. */
export function findBrokenOrder(settings: { readonly ackTimeoutMs: number }): string[] {
  if (settings.ackTimeoutMs + marginMs <= handOverMs) return [];
  return [
    `KURIR_ACK_TIMEOUT_MS is ${settings.ackTimeoutMs}. A worker that stops waits ${handOverMs} ms for the answers of messages in flight. Messages without an answer by then are sent again under their ids by the next worker. Set at most ${handOverMs - marginMs}.`,
  ];
}
