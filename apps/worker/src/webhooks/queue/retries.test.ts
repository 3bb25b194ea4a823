import type { AccountId } from '@kurir/contracts';
import { idOfEvent, type LoggedEvent } from '@kurir/database';
import type { DueRetry } from '@kurir/database/webhooks';
import { expect, test } from 'vitest';
import { Retries } from './retries.js';

function dueOf(sequence: number, subjectId = 'msg_1'): DueRetry & { readonly event: LoggedEvent } {
  const position = { generation: 1n, xid: 1n, seq: BigInt(sequence) };
  const event = {
    accountId: 'acc_1' as AccountId,
    position,
    at: new Date(),
    deviceId: null,
    subjectId,
    sequence,
    kind: 'message.sent',
    state: null,
    reason: null,
    until: null,
  } satisfies LoggedEvent;
  return { webhookId: 'whk_1', position, subjectId, tries: 1, event };
}

function take(retries: Retries, due: ReturnType<typeof dueOf>): void {
  const { subjectId, position } = due;
  const id = idOfEvent({ subjectId, sequence: Number(position.seq), position });
  retries.take(due, { id, body: '{}', traceparent: null });
}

test('a row that was taken while it was read again goes out once', () => {
  const retries = new Retries([dueOf(1)]);
  retries.beginReading();
  take(retries, dueOf(1));
  const queued = retries.next();
  expect(queued?.event.sequence).toBe(1);
  // The next reading selects the row, and the answer comes before its result.
  retries.beginReading();
  retries.forget(dueOf(1));
  queued?.settle();
  take(retries, dueOf(1));
  expect(retries.next()).toBeNull();
  expect(retries.has('msg_1')).toBe(false);
});

test('a row in flight is left out, and others still have room', () => {
  const retries = new Retries([]);
  retries.beginReading();
  for (let sequence = 1; sequence <= 16; sequence++) take(retries, dueOf(sequence, `msg_${sequence}`));
  const { except, limit } = retries.beginReading();
  expect(except).toHaveLength(16);
  expect(limit).toBe(16);
});

test('a subject waits as long as one of its events has a row, however often each is named', () => {
  const retries = new Retries([dueOf(2)]);
  retries.wait(dueOf(2));
  retries.wait(dueOf(3));
  expect(retries.total).toBe(2);
  // Somebody sends event 1 again. Nobody counted its row before.
  retries.beginReading();
  take(retries, dueOf(1));
  retries.forget(dueOf(1));
  retries.forget(dueOf(1));
  expect(retries.has('msg_1')).toBe(true);
  retries.forget(dueOf(2));
  retries.forget(dueOf(3));
  expect(retries.has('msg_1')).toBe(false);
  expect(retries.total).toBe(0);
});

test('after a failed probe others are probed, and later the same one again', () => {
  const retries = new Retries([dueOf(1)]);
  retries.beginReading();
  take(retries, dueOf(1));
  retries.next()?.putBack();
  expect(retries.beginReading().except).toEqual(['1 1 1']);
  expect(retries.has('msg_1')).toBe(true);
  retries.startOver();
  expect(retries.beginReading().except).toEqual([]);
});
