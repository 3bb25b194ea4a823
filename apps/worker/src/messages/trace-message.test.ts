/** The spans of a message and of its webhooks in the worker, as a collector gets them. */
import type { PostAnswer } from '@kurir/address-guard';
import type { DeviceId, MessageId } from '@kurir/contracts';
import type { SendOutcome } from '@kurir/network';
import { startTraceCollector, type TraceCollector } from '@kurir/testing';
import { startTracing, type Tracing } from '@kurir/tracing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { QueuedEvent } from '../webhooks/queue/queued-event.js';
import { beginPost, endPost } from '../webhooks/trace-post.js';
import { beginTry, endTry, noteClaim, noteReceipt } from './trace-message.js';

const [traceId, accepted] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const traceparent = `00-${traceId}-${accepted}-01`;
// The branded ids of a message and a device.
const [id, deviceId] = ['msg_1' as MessageId, 'dev_1' as DeviceId];

let collector: TraceCollector;
let tracing: Tracing;
beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = await startTracing({
    program: 'worker',
    endpoint: collector.url,
    headers: undefined,
    share: 1,
    instance: undefined,
    onLost: () => expect.unreachable(),
  });
});
afterEach(async () => {
  await tracing.stop();
  collector.close();
});

async function collected() {
  await tracing.stop();
  return collector.spans;
}

describe('a try', () => {
  test.each<[SendOutcome, { result: string; error: string | undefined }]>([
    [{ kind: 'sent' }, { result: 'sent', error: undefined }],
    [
      { kind: 'unknown', reason: 'no_answer' },
      { result: 'unanswered', error: 'no_answer' },
    ],
    [
      { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' },
      { result: 'refused', error: 'recipient_not_on_network' },
    ],
    [
      { kind: 'not-sent', permanent: false, reason: 'rate_limited_by_network', retryAfterMs: 5 },
      { result: 'retry', error: 'rate_limited_by_network' },
    ],
  ])('shows its outcome: %o', async (outcome, { result, error }) => {
    endTry(beginTry({ id, attempts: 3, traceparent }, deviceId), outcome);
    const [span] = await collected();
    expect(span).toMatchObject({
      traceId,
      parentSpanId: accepted,
      name: 'send message',
      isFailed: error !== undefined,
    });
    expect(span?.attributes).toEqual({
      'kurir.job_id': id,
      'kurir.device_id': deviceId,
      'kurir.attempt': 3,
      'kurir.result': result,
      ...(error === undefined ? {} : { 'error.type': error }),
    });
  });
});

test('a message that is not traced has no spans, although all traces that begin here are recorded', async () => {
  const message = { id, attempts: 1, traceparent: null };
  noteClaim(message, deviceId, Date.now());
  endTry(beginTry(message, deviceId), { kind: 'sent' });
  noteReceipt(message, { deviceId, status: 'delivered', startedAt: Date.now() });
  noteReceipt(null, { deviceId, status: 'delivered', startedAt: Date.now() });
  expect(await collected()).toEqual([]);
});

describe('a post to a webhook', () => {
  const at = new Date(Date.now() - 2_000);
  // Only the fields that the span reads.
  const queued = (tries: number) =>
    ({ id: 'evt_1', traceparent, tries, event: { kind: 'message.sent', subjectId: id, at } }) as unknown as QueuedEvent;
  const answered = (status: number | null, failure: PostAnswer['failure'] = null): PostAnswer => ({
    status,
    failure,
    text: 'canary text of the answer',
    retryAfter: null,
    durationMs: 1,
  });

  test('records its event with the first try, and no second time', async () => {
    for (const [tries, answer] of [
      [0, answered(null, 'timeout')],
      [1, answered(500)],
    ] as const) {
      const span = beginPost(queued(tries));
      if (span !== null) endPost(span, answer, false);
    }
    const spans = await collected();
    const [event, ...events] = spans.filter(({ name }) => name === 'event');
    expect(events).toEqual([]);
    expect(event).toMatchObject({ parentSpanId: accepted, startMs: at.getTime() });
    const [first, second] = spans.filter(({ name }) => name === 'POST webhook');
    expect(first).toMatchObject({
      parentSpanId: event?.spanId,
      isFailed: true,
      attributes: { 'kurir.attempt': 1, 'kurir.result': 'no_answer', 'error.type': 'timeout' },
    });
    expect(second).toMatchObject({
      parentSpanId: accepted,
      attributes: { 'kurir.attempt': 2, 'kurir.result': 'refused', 'error.type': '500' },
    });
    expect(collector.bodies.join()).not.toContain('canary');
  });
});
