import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MessageStatus,
  messageMoves,
  messageStatuses,
  refundedStatuses,
  settledStatuses,
} from './message-status.js';

/** The progress of a message. `unknown` lies before `sent`, because an acknowledgement may still move it on. */
const progress: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  delivered: 4,
  read: 5,
  failed: 6,
  expired: 6,
  cancelled: 6,
};

/** The statuses from which one move leads to this one. */
const statusesBefore = (to: MessageStatus) => messageStatuses.filter((from) => messageMoves[from].includes(to));

const isRetry = (from: MessageStatus, to: MessageStatus) => from === 'sending' && to === 'queued';

/** A random life of a message: each step is one of the allowed moves. */
const life = fc.infiniteStream(fc.nat()).map((choices) => {
  const steps: MessageStatus[] = ['queued'];
  for (const choice of choices) {
    const next = messageMoves[steps.at(-1) ?? 'queued'];
    const to = next[choice % Math.max(1, next.length)];
    if (to === undefined || steps.length === 40) return steps;
    steps.push(to);
  }
  return steps;
});

describe('the moves of a message', () => {
  test('are those of the contract and no others', () => {
    expect(messageMoves).toEqual({
      queued: ['sending', 'failed', 'expired', 'cancelled', 'unknown', 'sent', 'delivered', 'read'],
      sending: ['sent', 'failed', 'unknown', 'queued', 'delivered', 'read'],
      sent: ['delivered', 'read'],
      delivered: ['read'],
      read: [],
      failed: [],
      expired: [],
      cancelled: [],
      unknown: ['sent', 'delivered', 'read'],
    });
  });

  test('go only forward, except from sending to queued', () => {
    for (const from of messageStatuses)
      for (const to of messageMoves[from])
        expect(progress[to] > progress[from] || isRetry(from, to), `${from} to ${to}`).toBe(true);
  });

  test('never bring a message back to an earlier status, except for retries', () => {
    fc.assert(
      fc.property(life, (steps) => {
        const withoutRetries = steps.filter((to, i) => i === 0 || !(to === 'queued' || steps[i - 1] === 'queued'));
        expect(new Set(withoutRetries).size).toBe(withoutRetries.length);
      }),
    );
  });

  test('never leave a status that returned the quota', () => {
    for (const status of refundedStatuses) expect(messageMoves[status]).toEqual([]);
  });

  test('never make a message expired or cancelled while it is being sent', () => {
    expect(statusesBefore('expired')).toEqual(['queued']);
    expect(statusesBefore('cancelled')).toEqual(['queued']);
    expect(statusesBefore('failed')).toEqual(['queued', 'sending']);
  });

  test('reach every status from queued', () => {
    const reached = new Set<MessageStatus>(['queued']);
    for (const from of reached) for (const to of messageMoves[from]) reached.add(to);
    expect([...reached].sort()).toEqual([...messageStatuses].sort());
  });
});

test('only queued and sending messages need work of the gateway', () => {
  const settled: readonly MessageStatus[] = settledStatuses;
  expect(messageStatuses.filter((status) => !settled.includes(status))).toEqual(['queued', 'sending']);
});
