/**
 * Sent after expiry or cancellation: the first frame of an expired message came too late, or a cancelled message has a
 * frame.
 */
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';

const toleratedMs = 2_000;

export function findTooLate(messages: readonly Seen[]): Finding[] {
  return messages.flatMap(({ ref, recorded, row, shown }) => {
    const [first] = shown;
    if (first === undefined) return [];
    if (recorded !== null && recorded.cancelledAt !== null)
      return [finding('sent_after_expiry_or_cancellation', `${ref} was cancelled, and the phone shows it`)];
    if (row === null || row.expiresAt === null || first.at <= row.expiresAt + toleratedMs) return [];
    const lateMs = first.at - row.expiresAt;
    return [finding('sent_after_expiry_or_cancellation', `${ref} reached the phone ${lateMs} ms after it expired`)];
  });
}
