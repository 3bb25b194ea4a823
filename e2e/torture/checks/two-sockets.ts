/** Two live sockets of one device: a login ended a session whose lease was live. */
import type { LeaseChange } from '../records/lease-log.js';
import type { Kick } from '../records/network-record.js';
import { type Finding, finding } from './findings.js';

/** The trigger writes the log a moment before the commit. */
const commitMs = 50;

function leaseAt(changes: readonly LeaseChange[], at: number): LeaseChange | undefined {
  return changes.findLast((change) => change.at + commitMs <= at);
}

export function findTwoSockets(kicks: readonly Kick[], leases: ReadonlyMap<string, readonly LeaseChange[]>): Finding[] {
  return kicks.flatMap(({ deviceId, at, epoch, byEpoch }) => {
    const lease = leaseAt(leases.get(deviceId) ?? [], at);
    const wasLive = lease !== undefined && lease.owner !== null && lease.epoch === epoch && lease.expiresAt > at;
    if (!wasLive) return [];
    return [finding('two_live_sockets_of_one_device', `${deviceId}: a login of epoch ${byEpoch} ended epoch ${epoch}`)];
  });
}
