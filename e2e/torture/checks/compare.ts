/** Compares the three records and counts the messages. */
import { type Records, type Seen, seenMessages } from '../records/records.js';
import { findContradictions } from './contradictions.js';
import type { Finding } from './findings.js';
import { findLost } from './lost.js';
import { findTooManyNewContacts, type NewContacts, newContactsOf } from './new-contacts.js';
import { findOutOfOrder } from './out-of-order.js';
import { findTooFast } from './pace.js';
import { findWrongQuota } from './quota.js';
import { findShownTwice } from './shown-twice.js';
import { findTooLate } from './too-late.js';
import { findTwoSockets } from './two-sockets.js';

export type Counts = {
  readonly accepted: number;
  readonly delivered: number;
  readonly expired: number;
  readonly failed_with_a_reason_of_the_network: number;
  readonly cancelled: number;
  readonly unknown: number;
  readonly refused: number;
  readonly repeats_dropped_by_the_network: number;
  /** If this is 0, the attack did not test the limits. */
  readonly devices_at_their_limit_of_new_contacts: number;
};

/** Milliseconds from the request to the phone. */
export type Latency = { readonly p50: number; readonly p99: number; readonly worst: number; readonly messages: number };

export type Comparison = {
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly messages: readonly Seen[];
};

function countAll(messages: readonly Seen[], { network, database }: Records, newContacts: NewContacts): Counts {
  const stored = (status: string) => messages.filter(({ row }) => row?.status === status).length;
  const told = (kind: string) => messages.filter(({ recorded }) => recorded?.verdict?.kind === kind).length;
  const atLimit = [...database.limits].filter(
    ([deviceId, { newContactsPerDay }]) => newContactsPerDay === newContacts.get(deviceId)?.length,
  );
  return {
    accepted: told('accepted'),
    delivered: stored('delivered') + stored('read'),
    expired: stored('expired'),
    failed_with_a_reason_of_the_network: stored('failed'),
    cancelled: stored('cancelled'),
    unknown: stored('unknown'),
    refused: told('refused'),
    repeats_dropped_by_the_network: network.repeatsDropped,
    devices_at_their_limit_of_new_contacts: atLimit.length,
  };
}

export function compare(records: Records): Comparison {
  const messages = seenMessages(records);
  const { network, database } = records;
  const newContacts = newContactsOf(network);
  return {
    counts: countAll(messages, records, newContacts),
    findings: [
      ...findLost(messages, network),
      ...findShownTwice(messages),
      ...findOutOfOrder(messages),
      ...findTooLate(messages),
      ...findTwoSockets(network.kicks, database.leases),
      ...findWrongQuota(database.periods),
      ...findContradictions(messages, records),
      ...findTooFast(messages, database.limits),
      ...findTooManyNewContacts(newContacts, database.limits),
    ],
    messages,
  };
}

/**
 * The latency of one-time codes that were asked for between `from` and `to` and that reached a phone; null if there
 * were none.
 */
export function otpLatency(messages: readonly Seen[], from: number, to: number): Latency | null {
  const waits = messages
    .flatMap(({ recorded, shown }) => {
      const [first] = shown;
      if (recorded?.asked.priority !== 'otp' || first === undefined) return [];
      const { askedAt } = recorded.asked;
      return askedAt >= from && askedAt < to ? [first.at - askedAt] : [];
    })
    .sort((a, b) => a - b);
  const at = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0;
  return waits.length === 0 ? null : { p50: at(0.5), p99: at(0.99), worst: at(1), messages: waits.length };
}
