/**
 * Lost: the api accepted a message that neither reached the phone nor was reported. An `unknown` message counts as lost
 * unless an injected fault touched it. A `failed` message counts as lost unless the network refused it for the stored
 * reason.
 */
import type { Row } from '../records/database-record.js';
import type { NetworkRecord } from '../records/network-record.js';
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';

/** The worker notices a lost answer this much later. The fault may also come before the try. */
const marginMs = 15_000;

/** True if a fault hit the message's device, or its connection ended, while the message was `sending`. */
export function wasTouched(row: Row, troubles: NetworkRecord['troubles']): boolean {
  const begun = row.moves.find((move) => move.status === 'sending')?.at ?? 0;
  const ended = row.moves.findLast((move) => move.status === 'unknown')?.at ?? 0;
  return (troubles.get(row.deviceId) ?? []).some(({ at }) => at > begun - marginMs && at < ended + 1_000);
}

function expiredEarly({ moves, expiresAt }: Row): boolean {
  const at = moves.findLast((move) => move.status === 'expired')?.at ?? 0;
  return expiresAt === null || at < expiresAt;
}

function whyLost(seen: Seen, network: NetworkRecord): string | null {
  const { recorded, row } = seen;
  if (recorded === null) return null;
  const { verdict } = recorded;
  if (verdict === null) return 'never got a verdict';
  if (verdict.kind === 'refused') return null;
  if (row === null) return `was accepted as ${verdict.jobId} and is not stored`;
  if (row.id !== verdict.jobId) return `was accepted as ${verdict.jobId} and is stored as ${row.id}`;
  if (row.status === 'queued' || row.status === 'sending') return `is still ${row.status}`;
  if (row.status === 'unknown' && !wasTouched(row, network.troubles)) return 'is unknown, and nothing had touched it';
  if (row.status === 'expired' && expiredEarly(row)) return 'expired before its time';
  if (row.status === 'cancelled' && recorded.asked.sendAt === null)
    return 'is cancelled, and nobody had asked for that';
  const refusals = network.refusals.get(row.networkMessageId);
  if (row.status === 'failed' && refusals?.has(row.reason ?? '') !== true)
    return `failed with ${row.reason}, which the network never said`;
  return null;
}

export function findLost(messages: readonly Seen[], network: NetworkRecord): Finding[] {
  return messages.flatMap((seen) => {
    const why = whyLost(seen, network);
    return why === null ? [] : [finding('lost', `${seen.ref} ${why}`)];
  });
}
