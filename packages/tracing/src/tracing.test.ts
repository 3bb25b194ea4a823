/** Spans on their way to a collector. */
import { startTraceCollector, type TraceCollector, waitUntil } from '@kurir/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginRequest, beginSpan, beginTraces, isTracing, noteFailedRequest, noteSpan } from './spans.js';
import { startTracing, type Tracing, type TracingOptions } from './start-tracing.js';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';
const sampled = `00-${callersTrace}-${callersSpan}-01`;
const unsampled = `00-${callersTrace}-${callersSpan}-00`;

let collector: TraceCollector;
let tracing: Tracing | null;
let lost: { spans: number; error: unknown }[];

beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = null;
  lost = [];
});
afterEach(async () => {
  await tracing?.stop();
  collector.close();
});

async function start(changes: Partial<TracingOptions> = {}): Promise<void> {
  tracing = await startTracing({
    program: 'api',
    endpoint: collector.url,
    headers: undefined,
    share: 1,
    instance: 'api-1',
    onLost: (spans, error) => lost.push({ spans, error }),
    ...changes,
  });
}

/** The spans that arrived after everything was flushed. */
async function flushed(): Promise<TraceCollector['spans']> {
  await tracing?.stop();
  return collector.spans;
}

const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('not traced');
  return value;
};

describe('without a collector', () => {
  test('there are no spans', async () => {
    await start({ endpoint: undefined });
    expect(isTracing()).toBe(false);
    expect(beginRequest(sampled)).toBeNull();
    expect(beginSpan(sampled, 'send message')).toBeNull();
    expect(noteSpan(sampled, 'claim message', { startedAt: 1 })).toBeNull();
    expect(beginTraces('accept message', [1], { link: sampled, attributesOf: () => ({}) })).toBeNull();
    noteFailedRequest('GET', Date.now(), {});
    expect(await flushed()).toEqual([]);
    expect(collector.headers).toEqual([]);
  });
});

describe('a request', () => {
  test('goes on with a sampled trace of its caller, under its name at the end', async () => {
    await start({ share: 0, headers: { 'x-token': 'canary' } });
    const span = required(beginRequest(sampled));
    span.endAs('POST /api/v1/messages/send', { 'http.response.status_code': 200 });
    expect(await flushed()).toEqual([
      expect.objectContaining({
        traceId: callersTrace,
        parentSpanId: callersSpan,
        name: 'POST /api/v1/messages/send',
        kind: 2,
        isFailed: false,
        attributes: { 'http.response.status_code': 200 },
        resource: expect.objectContaining({
          'service.name': 'kurir-api',
          'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
          'service.instance.id': 'api-1',
        }),
      }),
    ]);
    expect(span.traceparent).toBe(`00-${callersTrace}-${collector.spans[0]?.spanId}-01`);
    expect(collector.headers[0]).toMatchObject({ 'x-token': 'canary', 'content-type': 'application/json' });
  });

  test('leaves a trace alone that its caller does not record', async () => {
    await start({ share: 1 });
    expect(beginRequest(unsampled)).toBeNull();
  });

  test('begins a trace for the share of the settings, also after a header that is no traceparent', async () => {
    await start({ share: 1 });
    required(beginRequest(undefined)).end();
    required(beginRequest('rubbish')).end();
    const spans = await flushed();
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([null, null]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  test('begins none for a share of nothing', async () => {
    await start({ share: 0 });
    for (let i = 0; i < 1_000; i++) expect(beginRequest(undefined)).toBeNull();
  });

  test('that failed is recorded although it was not chosen, but not each of many', async () => {
    await start({ share: 0 });
    for (let i = 0; i < 100; i++) noteFailedRequest('POST /x', Date.now() - 5, { 'error.type': 'SERVICE_UNAVAILABLE' });
    const spans = await flushed();
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ name: 'POST /x', isFailed: true, parentSpanId: null, kind: 2 });
    expect((spans[0]?.endMs ?? 0) - (spans[0]?.startMs ?? 0)).toBeGreaterThanOrEqual(5);
  });
});

describe('a span', () => {
  test('stands below its parent, and an error marks it', async () => {
    await start();
    const parent = required(beginSpan(sampled, 'accept message', { attributes: { 'kurir.job_id': 'msg_1' } }));
    const at = Date.now() - 1_000;
    const noted = noteSpan(parent.traceparent, 'claim message', { startedAt: at, attributes: { 'kurir.attempt': 2 } });
    required(beginSpan(noted, 'send message', { kind: 'producer' })).end({ 'error.type': 'recipient_not_on_network' });
    parent.end();
    const spans = await flushed();
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named('accept message')).toMatchObject({
      parentSpanId: callersSpan,
      attributes: { 'kurir.job_id': 'msg_1' },
    });
    expect(named('claim message')).toMatchObject({
      parentSpanId: named('accept message')?.spanId,
      startMs: at,
      attributes: { 'kurir.attempt': 2 },
      isFailed: false,
    });
    expect(named('send message')).toMatchObject({
      parentSpanId: named('claim message')?.spanId,
      kind: 4,
      isFailed: true,
    });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([callersTrace]));
  });

  test.each([null, undefined, '', 'rubbish', unsampled])('without a recorded parent is none (%#)', async (parent) => {
    await start();
    expect(beginSpan(parent, 'send message')).toBeNull();
  });
});

describe('a batch', () => {
  const items = Array.from({ length: 1_000 }, (_, i) => i);
  const begin = (link: string | null) =>
    required(beginTraces('accept message', items, { link, attributesOf: (i) => ({ 'kurir.job_id': `msg_${i}` }) }));

  test('has traces of its own for some of its items, which link to the request', async () => {
    await start({ share: 1 });
    const request = required(beginRequest(sampled));
    const spans = begin(request.traceparent);
    expect(spans).toHaveLength(items.length);
    for (const span of spans) span?.end();
    request.end();
    const collected = (await flushed()).filter(({ name }) => name === 'accept message');
    expect(collected).toHaveLength(100);
    expect(new Set(collected.map(({ traceId }) => traceId)).size).toBe(100);
    expect(collected.every(({ traceId, parentSpanId }) => traceId !== callersTrace && parentSpanId === null)).toBe(
      true,
    );
    const requestId = collector.spans.find(({ name }) => name === 'request')?.spanId;
    expect(collected.every(({ links }) => links.length === 1 && links[0] === requestId)).toBe(true);
  });

  test('chooses by the share of the settings', async () => {
    await start({ share: 0.02 });
    let chosen = 0;
    for (let i = 0; i < 100; i++) chosen += begin(null).filter((span) => span !== null).length;
    expect(chosen).toBeGreaterThan(1_000);
    expect(chosen).toBeLessThan(4_000);
  });
});

describe('a collector that fails', () => {
  test.each([400, 503, 'silent'] as const)('costs spans and no time (%s)', async (answer) => {
    collector.answerWith(answer);
    await start();
    required(beginRequest(sampled)).end();
    const startedAt = performance.now();
    await tracing?.stop();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(beginRequest(sampled)).toBeNull();
    await waitUntil(() => lost.length > 0, { what: 'the loss is told' });
    expect(lost).toEqual([{ spans: 1, error: expect.any(Error) }]);
  });

  test('may be away', async () => {
    collector.close();
    await start();
    required(beginRequest(sampled)).end();
    const startedAt = performance.now();
    await tracing?.stop();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await waitUntil(() => lost.length > 0, { what: 'the loss is told' });
    expect(lost).toEqual([{ spans: 1, error: expect.objectContaining({ code: 'ECONNREFUSED' }) }]);
  });

  test('never holds more spans than the queue has room for', async () => {
    collector.answerWith('silent');
    await start();
    for (let i = 0; i < 5_000; i++) required(beginRequest(sampled)).end();
    collector.answerWith(200);
    await tracing?.stop();
    // The queue, and the export that ran meanwhile.
    expect(collector.spans.length).toBeLessThanOrEqual(2_048 + 512);
  });
});
