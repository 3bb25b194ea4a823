/** The spans of requests, as a collector gets them. */
import type { IncomingMessage } from 'node:http';
import { startTraceCollector, type TraceCollector } from '@kurir/testing';
import { startTracing, type Tracing } from '@kurir/tracing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginRequestSpan, endRequestSpan } from './trace-request.js';

const [callersTrace, callersSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

let collector: TraceCollector;
let tracing: Tracing;
beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = await startTracing({
    program: 'api',
    endpoint: collector.url,
    headers: undefined,
    share: 0,
    instance: undefined,
    onLost: () => expect.unreachable(),
  });
});
afterEach(async () => {
  await tracing.stop();
  collector.close();
});

// Only the headers count.
const requestWith = (headers: IncomingMessage['headers']) =>
  ({ headers, url: '/pay/canary-token?phone=6281234567890' }) as IncomingMessage;
const traced = () => beginRequestSpan(requestWith({ traceparent: `00-${callersTrace}-${callersSpan}-01` }));

const asked = {
  id: 'req_1',
  span: null,
  route: '/api/v1/messages/{job_id}',
  operation: 'getMessage',
  deviceId: null,
  jobId: null,
  code: null,
} as const;

async function collected() {
  await tracing.stop();
  return collector.spans;
}

test('a request has its method and route as its name, and never its address', async () => {
  endRequestSpan({ ...asked, span: traced(), jobId: 'msg_1' }, { method: 'GET', status: 200, durationMs: 3 });
  expect(await collected()).toEqual([
    expect.objectContaining({
      traceId: callersTrace,
      parentSpanId: callersSpan,
      name: 'GET /api/v1/messages/{job_id}',
      isFailed: false,
      attributes: {
        'kurir.request_id': 'req_1',
        'kurir.operation': 'getMessage',
        'kurir.job_id': 'msg_1',
        'http.request.method': 'GET',
        'http.route': '/api/v1/messages/{job_id}',
        'http.response.status_code': 200,
      },
    }),
  ]);
  expect(collector.bodies.join()).not.toMatch(/canary|6281234567890/);
});

test.each([
  ['a refusal is no failure', 404, 'JOB_NOT_FOUND', { isFailed: false, error: undefined }],
  ['an error of ours is one', 503, 'SERVICE_UNAVAILABLE', { isFailed: true, error: 'SERVICE_UNAVAILABLE' }],
  ['a caller who went away, too', null, null, { isFailed: true, error: 'aborted' }],
] as const)('%s', async (_what, status, code, { isFailed, error }) => {
  endRequestSpan({ ...asked, span: traced(), code }, { method: 'GET', status, durationMs: 3 });
  const [span] = await collected();
  expect(span?.isFailed).toBe(isFailed);
  expect(span?.attributes['error.type']).toBe(error);
  expect(span?.attributes['kurir.result']).toBe(code ?? undefined);
});

test('a request that was not chosen is recorded if it failed by our fault', async () => {
  const untraced = { ...asked, span: beginRequestSpan(requestWith({})) };
  expect(untraced.span).toBeNull();
  endRequestSpan(untraced, { method: 'GET', status: 200, durationMs: 3 });
  endRequestSpan({ ...untraced, code: 'JOB_NOT_FOUND' }, { method: 'GET', status: 404, durationMs: 3 });
  endRequestSpan({ ...untraced, code: 'INTERNAL_ERROR' }, { method: 'GET', status: 500, durationMs: 30 });
  const [span, ...others] = await collected();
  expect(others).toEqual([]);
  expect(span).toMatchObject({ parentSpanId: null, isFailed: true, attributes: { 'error.type': 'INTERNAL_ERROR' } });
  expect((span?.endMs ?? 0) - (span?.startMs ?? 0)).toBeGreaterThanOrEqual(30);
});

test('a header that appears twice begins nothing', () => {
  const traceparent = `00-${callersTrace}-${callersSpan}-01`;
  expect(beginRequestSpan(requestWith({ traceparent: `${traceparent}, ${traceparent}` }))).toBeNull();
});
