import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MessageStatus,
  messageMoves,
  messageStatuses,
  refundedStatuses,
  settledStatuses,
} from './message-status.js';

/** How far a message has come. `unknown` lies before `sent`: an acknowledgement may still move it on. */
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

/** From where one move leads to it. */
const statusesBefore = (to: MessageStatus) => messageStatuses.filter((from) => messageMoves[from].includes(to));

const isRetry = (from: MessageStatus, to: MessageStatus) => from === 'sending' && to === 'queued';

/** What a message goes through when at each step one of the allowed moves is taken. */
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

  test('go only forward, but for sending back to queued', () => {
    for (const from of messageStatuses)
      for (const to of messageMoves[from])
        expect(progress[to] > progress[from] || isRetry(from, to), `${from} to ${to}`).toBe(true);
  });

  test('never bring any life of a message back to where it was, but for retries', () => {
    fc.assert(
      fc.property(life, (steps) => {
        const withoutRetries = steps.filter((to, i) => i === 0 || !(to === 'queued' || steps[i - 1] === 'queued'));
        expect(new Set(withoutRetries).size).toBe(withoutRetries.length);
      }),
    );
  });

  test('lead out of no status that gave the quota back', () => {
    for (const status of refundedStatuses) expect(messageMoves[status]).toEqual([]);
  });

  test('never say of a message that is being sent that it expired or was cancelled', () => {
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

test('only queued and sending ask for work of ours', () => {
  const settled: readonly MessageStatus[] = settledStatuses;
  expect(messageStatuses.filter((status) => !settled.includes(status))).toEqual(['queued', 'sending']);
});
