/** One message makes one trace, from the request of its sender to the webhook. Traces name nobody, and hold nothing up. */
import { type CollectedSpan, freePort, startTraceCollector, type TraceCollector, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { signedFetch } from './customers/signed-fetch.js';
import { startWebhookProgram, type WebhookProgram } from './customers/webhook-program.js';
import { newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const callersSpan = '00f067aa0ba902b7';
const text = 'canary text of a message';
const unknownNumber = '6281200010000';
const token = 'canary-token-of-the-collector';

let traces = 0;
/** A trace that the customer's program has begun, and that it records. */
const newTrace = () => (++traces).toString(16).padStart(32, 'a');
const traceparentOf = (traceId: string) => `00-${traceId}-${callersSpan}-01`;

let collector: TraceCollector;
let stack: Stack;
let customer: Customer;
let program: WebhookProgram;

beforeAll(async () => {
  [collector, program] = await Promise.all([startTraceCollector(), startWebhookProgram()]);
  stack = await startStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback',
    },
  });
  customer = await stack.createCustomer();
  const webhook = await customer.client.createWebhook({ url: program.url, types: ['message.delivered'] });
  program.secret = webhook.secret;
});
afterAll(async () => {
  await program?.close();
  await stack?.stop();
  collector?.close();
});
beforeEach(() => collector.answerWith(200));

type Sent = { readonly traceId: string; readonly phone: string; readonly jobId: string };

async function send(phone = newPhoneNumber(), baseUrl = stack.baseUrl): Promise<Sent> {
  const traceId = newTrace();
  const answer = await signedFetch(baseUrl, customer, {
    method: 'POST',
    target: '/api/v1/messages/send',
    body: JSON.stringify({ message: text, phone_destination: phone }),
    deviceId: customer.deviceId,
    headers: { traceparent: traceparentOf(traceId) },
  });
  expect(answer.status).toBe(200);
  return { traceId, phone, jobId: String(answer.body.data?.['job_id']) };
}

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);

/** Waits for the trace, and returns the only span with each name. */
async function collected<Name extends string>(traceId: string, names: readonly Name[]) {
  const find = (name: string) => spansOf(traceId).filter((span) => span.name === name);
  await waitUntil(() => names.every((name) => find(name).length > 0), {
    what: `the spans ${names.join(', ')} of ${traceId}`,
    timeoutMs: 60_000,
  });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each name was found
  return Object.fromEntries(names.map((name) => [name, find(name)[0]])) as Record<Name, CollectedSpan>;
}

/** Numbers, texts, secrets and addresses with parameters. */
function expectNobodyNamed(...phones: string[]): void {
  const all = collector.bodies.join('\n');
  for (const word of [
    text,
    'canary',
    token,
    customer.apiSecret,
    customer.apiKey,
    program.secret,
    program.url,
    ...phones,
  ])
    expect(all).not.toContain(word);
}

describe('a message of a traced request', () => {
  const names = [
    'POST /api/v1/messages/send',
    'accept message',
    'claim message',
    'send message',
    'receipt',
    'event',
    'POST webhook',
  ] as const;

  it('has one trace, from the request to the webhook', async () => {
    const { traceId, phone, jobId } = await send();
    const spans = await collected(traceId, names);
    const { 'POST /api/v1/messages/send': request, 'accept message': accept, event, 'POST webhook': post } = spans;
    expect(request).toMatchObject({
      parentSpanId: callersSpan,
      kind: 2,
      isFailed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/messages/send',
        'http.response.status_code': 200,
        'kurir.operation': 'sendMessage',
        'kurir.job_id': jobId,
      },
      resource: { 'service.name': 'kurir-api' },
    });
    expect(accept).toMatchObject({ parentSpanId: request.spanId, attributes: { 'kurir.result': 'accepted' } });
    const about = { 'kurir.job_id': jobId, 'kurir.device_id': customer.deviceId };
    for (const name of ['claim message', 'send message', 'receipt', 'event'] as const)
      expect(spans[name]).toMatchObject({ parentSpanId: accept.spanId, resource: { 'service.name': 'kurir-worker' } });
    expect(spans['claim message'].attributes).toEqual({ ...about, 'kurir.attempt': 1 });
    expect(spans['send message']).toMatchObject({
      kind: 4,
      isFailed: false,
      attributes: { ...about, 'kurir.attempt': 1, 'kurir.result': 'sent' },
    });
    expect(spans.receipt).toMatchObject({ kind: 5, attributes: { ...about, 'kurir.status': 'delivered' } });
    expect(event.attributes).toMatchObject({ 'kurir.event_type': 'message.delivered', 'kurir.job_id': jobId });
    expect(post).toMatchObject({
      parentSpanId: event.spanId,
      kind: 3,
      isFailed: false,
      attributes: { 'http.response.status_code': 200, 'kurir.result': 'taken', 'kurir.attempt': 1 },
    });
    // The delivery carries the trace to the customer's program.
    const delivery = program.taken.find(({ body }) => body.includes(jobId));
    expect(delivery?.traceparent).toBe(`00-${traceId}-${post.spanId}-01`);
    // The steps follow one another.
    const begins = [request, accept, spans['claim message'], spans['send message'], spans.receipt, post];
    expect(begins.map(({ startMs }) => startMs)).toEqual(
      begins.map(({ startMs }) => startMs).toSorted((a, b) => a - b),
    );
    expectNobodyNamed(phone);
    // Probes come all the time, and nobody wants to see them, with or without their route.
    const spanNames = collector.spans.map(({ name }) => name);
    expect(spanNames.filter((name) => name.includes('/health') || /^[A-Z]+$/.test(name))).toEqual([]);
    expect(collector.headers[0]?.authorization).toBe(`Bearer ${token}`);
  });

  it('shows in the log lines of its request and its tries', async () => {
    const { traceId, jobId } = await send();
    const spans = await collected(traceId, ['POST /api/v1/messages/send', 'accept message', 'receipt']);
    const lineOf = (lines: Record<string, unknown>[], msg: string) =>
      lines.find((line) => line['messageId'] === jobId && line['msg'] === msg);
    expect(lineOf(stack.api.logs(), 'request served')).toMatchObject({
      trace_id: traceId,
      span_id: spans['POST /api/v1/messages/send'].spanId,
    });
    const worker = stack.workers.flatMap((each) => each.logs());
    expect(lineOf(worker, 'message answered')).toMatchObject({
      trace_id: traceId,
      span_id: spans['accept message'].spanId,
    });
  });

  it('that the network refuses ends with a failed span, which says why', async () => {
    const { traceId } = await send(unknownNumber);
    const { 'send message': tried } = await collected(traceId, ['send message']);
    const why = { 'kurir.result': 'refused', 'error.type': 'recipient_not_on_network' };
    expect(tried).toMatchObject({ isFailed: true, attributes: why });
    expectNobodyNamed(unknownNumber);
  });
});

it('each message of a bulk has a trace of its own, which links to the request', async () => {
  const traceId = newTrace();
  const phones = Array.from({ length: 20 }, () => newPhoneNumber());
  const answer = await signedFetch(stack.baseUrl, customer, {
    method: 'POST',
    target: '/api/v1/messages/bulk',
    body: JSON.stringify({ messages: phones.map((phone) => ({ message: text, phone_destination: phone })) }),
    deviceId: customer.deviceId,
    headers: { traceparent: traceparentOf(traceId) },
  });
  expect(answer.status).toBe(200);
  const { 'POST /api/v1/messages/bulk': request } = await collected(traceId, ['POST /api/v1/messages/bulk']);
  const linked = () => collector.spans.filter(({ links }) => links.includes(request.spanId));
  await waitUntil(() => linked().length === phones.length, { what: 'a trace for each message' });
  expect(new Set(linked().map((span) => span.traceId)).size).toBe(phones.length);
  expect(spansOf(traceId)).toHaveLength(1);
  const [first] = linked();
  await collected(first?.traceId ?? '', ['accept message', 'send message', 'receipt', 'POST webhook']);
  expectNobodyNamed(...phones);
});

it('a request that its caller does not record is not traced', async () => {
  const traceId = newTrace();
  const request = {
    method: 'GET',
    target: '/api/v1/account/info',
    headers: { traceparent: `00-${traceId}-${callersSpan}-00` },
  } as const;
  expect((await signedFetch(stack.baseUrl, customer, request)).status).toBe(200);
  // A later request, whose span arrives after that of the first one would have.
  const { traceId: later } = await send();
  await collected(later, ['POST /api/v1/messages/send']);
  expect(spansOf(traceId)).toEqual([]);
});

describe('a collector', () => {
  /** Only a deadline. A program that hangs ends itself before, and not with 0. */
  const stopMs = 30_000;

  async function expectToWork(endpoint: string): Promise<void> {
    const port = await freePort();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const [api, worker] = await Promise.all([stack.startApi(port, env), stack.startWorker(env)]);
    const { jobId } = await send(newPhoneNumber(), `http://127.0.0.1:${port}`);
    expect(await customer.client.waitForJob(jobId, { until: 'delivered' })).toMatchObject({ jobId });
    const line = await api.waitForLine(/spans not exported/, 60_000);
    expect(line).not.toContain(token);
    // Spans that nobody took are in flight or waiting now.
    await send(newPhoneNumber(), `http://127.0.0.1:${port}`);
    expect(await api.stop('SIGTERM', stopMs)).toEqual({ code: 0, signal: null });
    expect(await worker.stop('SIGTERM', stopMs)).toEqual({ code: 0, signal: null });
    expect(api.lines.filter((one) => one.includes('spans not exported'))).toHaveLength(1);
  }

  it('that is away disturbs nobody', async () => {
    await expectToWork(`http://127.0.0.1:${await freePort()}`);
  });

  it('that never answers disturbs nobody', async () => {
    const silent = await startTraceCollector();
    silent.answerWith('silent');
    try {
      await expectToWork(silent.url);
      expect(silent.headers.length).toBeGreaterThan(0);
    } finally {
      silent.close();
    }
  });
});
