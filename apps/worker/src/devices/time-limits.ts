/**
 * The time limits of a worker. Their order must hold; `time-limits.test.ts` checks it. The worker logs settings that break it.
 */
import { leaseTtlMs } from '@kurir/database';

/** Leases are renewed this often, also while the worker stops. */
export const renewLeasesEveryMs = 5_000;
/** A worker that could not renew for so long closes its sessions: before the lease ends, whatever two clocks think of a second. */
export const fenceAfterMs = leaseTtlMs - 3_000;
/** A device that is handed over has so long for its last answer; then its session is closed. */
export const handOverMs = 11_000;
/** After the hand-over, what was heard last is stored within this. */
export const storingMs = 1_000;
/** A worker that has not stopped within this ends: the leases run out by themselves. Docker waits longer than this. */
export const stopMs = 14_000;

/** A hand-over that waits for an answer up to its end needs this much more. */
const marginMs = 500;

/** What settings do to the order, as sentences for the log; empty: nothing. */
export function findBrokenOrder(settings: { readonly ackTimeoutMs: number }): string[] {
  if (settings.ackTimeoutMs + marginMs <= handOverMs) return [];
  return [
    `KURIR_ACK_TIMEOUT_MS is ${settings.ackTimeoutMs}. A worker that stops waits ${handOverMs} ms for the answers of messages in flight. Messages without an answer by then are sent again under their ids by the next worker. Set at most ${handOverMs - marginMs}.`,
  ];
}
