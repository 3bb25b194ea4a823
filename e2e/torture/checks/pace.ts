/**
 * Claims faster than the pace: on a device with a pace, a message was claimed too soon after the one before it. The
 * least time is one interval minus the jitter. One-time codes ignore the pace. Another try of a message that stayed
 * `sending` is no claim.
 */
import type { DeviceLimits } from '../records/database-record.js';
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';
import { groupBy } from './group-by.js';

type Claim = { readonly ref: string; readonly deviceId: string; readonly at: number };

/** Postgres rounds both times to milliseconds. */
const roundingMs = 1;

function claimsOf({ ref, recorded, row }: Seen): Claim[] {
  if (row === null || recorded === null || recorded.asked.priority === 'otp') return [];
  const { deviceId, moves } = row;
  return moves.flatMap(({ status, at }) => (status === 'sending' ? [{ ref, deviceId, at }] : []));
}

export function findTooFast(messages: readonly Seen[], limits: ReadonlyMap<string, DeviceLimits>): Finding[] {
  const claims = groupBy(messages.flatMap(claimsOf), ({ deviceId }) => deviceId);
  return [...claims].flatMap(([deviceId, ofDevice]) => {
    const { pacePerMinute = null, paceJitterMs = 0 } = limits.get(deviceId) ?? {};
    if (pacePerMinute === null) return [];
    const leastMs = 60_000 / pacePerMinute - paceJitterMs;
    const inOrder = ofDevice.toSorted((a, b) => a.at - b.at);
    return inOrder.flatMap((claim, i) => {
      const before = inOrder[i - 1];
      if (before === undefined || claim.at - before.at >= leastMs - roundingMs) return [];
      const waited = Math.round(claim.at - before.at);
      const what = `${deviceId} claimed ${claim.ref} ${waited} ms after ${before.ref}, its pace asks for ${leastMs} ms`;
      return [finding('claims_faster_than_the_pace', what)];
    });
  });
}
