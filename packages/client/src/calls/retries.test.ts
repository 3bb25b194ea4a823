import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { apiKey, apiSecret, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { type ClientOptions, createClient, KurirConnectionError, KurirError } from '../index.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const text = { message: 'Kode Anda 493021', phoneDestination: '6281234567890' };

function client(options: Partial<ClientOptions> = {}) {
  const defaults = { baseUrl: gateway.baseUrl, apiKey, apiSecret, deviceId: 'dev_1', clock, random: () => 0 };
  return createClient({ ...defaults, ...options });
}

function signatures(): unknown[] {
  return gateway.received.map(({ headers }) => headers['x-signature']);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a send whose answer is lost', () => {
  it('is repeated with the same signature and gets the first answer', async () => {
    gateway.fail('lost-after-acceptance', 'lost-after-acceptance');
    await expect(client().sendMessage(text)).resolves.toEqual({ jobId: 'msg_1' });
    expect(gateway.accepted).toHaveLength(1);
    expect(new Set(signatures()).size).toBe(1);
    expect(signatures()).toHaveLength(3);
  });

  it('is repeated byte for byte when it is a bulk', async () => {
    gateway.fail('lost-after-acceptance');
    const { results } = await client().sendBulk({ messages: [text, text] });
    expect(results).toEqual([{ jobId: 'msg_1' }, { jobId: 'msg_2' }]);
    expect(gateway.received[1]?.body).toBe(gateway.received[0]?.body);
    expect(gateway.accepted).toHaveLength(1);
  });

  it('is signed again with the same client_ref when the signature is too old', async () => {
    const busy = refusal('SERVICE_UNAVAILABLE', 'Soon.', { 'Retry-After': '60' });
    gateway.fail('lost-after-acceptance', busy, busy, busy, busy, busy);
    await client({ maxRetries: 6 }).sendMessage(text);
    expect(new Set(signatures().slice(0, 5)).size).toBe(1);
    expect(signatures()[6]).not.toBe(signatures()[0]);
    const references = gateway.received.map(({ body }) => JSON.parse(body).client_ref);
    expect(new Set(references).size).toBe(1);
    expect(references[0]).toMatch(/^kc_[0-9a-f-]{36}$/);
  });

  it('is repeated when the answer is broken JSON', async () => {
    gateway.fail({ status: 200, text: '{"success":true,"data":{"job_' });
    await expect(client().sendMessage(text)).resolves.toEqual({ jobId: 'msg_1' });
  });

  it('reports that it may have arrived when every answer was lost', async () => {
    gateway.fail('lost-before-acceptance', 'lost-before-acceptance');
    const error = await client({ maxRetries: 1 })
      .sendMessage(text)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KurirConnectionError);
    expect(error).toMatchObject({ mayHaveArrived: true, status: null, cause: expect.any(Error) });
  });
});

it('the same body goes to two devices within one millisecond, because the device is signed', async () => {
  const { sendMessage } = client();
  const same = { ...text, clientRef: 'order-1' };
  await sendMessage(same);
  await sendMessage(same, { deviceId: 'dev_2' });
  expect(gateway.accepted.map(({ headers }) => headers['x-device-id'])).toEqual(['dev_1', 'dev_2']);
  expect(gateway.accepted[1]?.headers['x-timestamp']).toBe(gateway.accepted[0]?.headers['x-timestamp']);
});

describe('calls that change something and are not sends', () => {
  it('are not repeated when the answer is lost', async () => {
    gateway.fail('lost-after-acceptance');
    await expect(client().renewAccount()).rejects.toMatchObject({ name: 'KurirConnectionError', mayHaveArrived: true });
    expect(gateway.received).toHaveLength(1);
  });

  it('are repeated after a 429 and a 503 of the gateway, each time with a new signature', async () => {
    gateway.fail(refusal('RATE_LIMITED'), refusal('SERVICE_UNAVAILABLE'));
    await client().chatPresence({ action: 'start', phoneDestination: '6281234567890' });
    expect(new Set(signatures()).size).toBe(3);
  });

  it('are not repeated after a 503 of a proxy or another 5xx of the gateway', async () => {
    gateway.fail({ status: 503, text: '<h1>upstream reset</h1>' });
    await expect(client().disconnectDevice()).rejects.toMatchObject({ status: 503, mayHaveArrived: true });
    gateway.fail(refusal('PAYMENT_PROVIDER_ERROR'));
    await expect(client().renewAccount()).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
    expect(gateway.received).toHaveLength(2);
  });

  it('are repeated when the connection was refused, and report that nothing arrived', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const error = await client({ baseUrl })
      .cancelMessage('msg_1')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'KurirConnectionError', mayHaveArrived: false });
    expect(String(error)).toContain('ECONNREFUSED');
    expect(clock.slept).toEqual([125, 250, 500]);
  });

  it('may start, stop and start the typing signal within one millisecond', async () => {
    const { chatPresence } = client();
    for (const action of ['start', 'stop', 'start'] as const)
      await chatPresence({ action, phoneDestination: '6281234567890' });
    expect(gateway.accepted.map(({ body }) => JSON.parse(body).action)).toEqual(['start', 'stop', 'start']);
  });

  it('never share a signature, even within one millisecond', async () => {
    const start = { action: 'start', phoneDestination: '6281234567890' } as const;
    const { chatPresence } = client();
    await Promise.all([chatPresence(start), chatPresence(start), chatPresence(start)]);
    expect(gateway.accepted).toHaveLength(3);
  });
});

describe('Retry-After', () => {
  it('of a 429 in seconds delays the next try', async () => {
    gateway.fail(refusal('RATE_LIMITED', 'Slower.', { 'Retry-After': '7' }));
    await client().sendMessage(text);
    expect(clock.slept).toEqual([7000]);
  });

  it('of a 503 as an HTTP date delays the next try', async () => {
    const date = new Date(clock.now() + 12_000).toUTCString();
    gateway.fail(refusal('SERVICE_UNAVAILABLE', 'Later.', { 'Retry-After': date }));
    await client().accountInfo();
    expect(clock.slept).toEqual([12_000]);
  });

  it('of more than a minute ends the call', async () => {
    gateway.fail(refusal('RATE_LIMITED', 'Much later.', { 'Retry-After': '3600' }));
    const refused = client().sendMessage(text);
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 3600 });
    expect(clock.slept).toEqual([]);
  });
});

describe('the wait between tries', () => {
  it('doubles up to eight seconds', async () => {
    gateway.fail(...Array.from({ length: 8 }, () => refusal('INTERNAL_ERROR')));
    await client({ maxRetries: 8, random: () => 1 }).accountInfo();
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('ends at once with the reason when the caller aborts', async () => {
    const caller = new AbortController();
    gateway.fail(refusal('RATE_LIMITED'));
    const impatient = { now: clock.now, sleep: async () => caller.abort(new Error('changed my mind')) };
    const aborted = client({ clock: impatient }).sendMessage(text, { signal: caller.signal });
    await expect(aborted).rejects.toThrow('changed my mind');
    expect(gateway.received).toHaveLength(1);
  });
});

describe('no answer in time', () => {
  it('counts as a failed try, so a look-up is repeated', async () => {
    gateway.fail('silence');
    await expect(client().latestPlan({ timeoutMs: 50 })).resolves.toMatchObject({ planName: 'Starter' });
  });

  it('is reported with the timeout', async () => {
    gateway.fail('silence');
    const late = client({ timeoutMs: 50 }).disconnectDevice();
    await expect(late).rejects.toThrow('no answer within 50 ms');
  });

  it('ends when the caller aborts', async () => {
    gateway.fail('silence');
    const caller = new AbortController();
    const call = client().accountInfo({ signal: caller.signal });
    queueMicrotask(() => caller.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
  });

  it('sends nothing when the signal is already aborted', async () => {
    await expect(client().accountInfo({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(gateway.received).toEqual([]);
  });
});

describe('a clock that is wrong', () => {
  const anHour = 3_600_000;

  it.each([anHour, -anHour])('by %i ms is corrected once from the Date of the gateway', async (skewMs) => {
    const skewed = { ...clock, now: () => clock.now() + skewMs };
    const { renewAccount } = client({ clock: skewed, maxRetries: 0 });
    await renewAccount();
    await renewAccount();
    expect(gateway.accepted).toHaveLength(2);
    expect(gateway.received).toHaveLength(3);
  });

  it('is corrected only once in a call', async () => {
    gateway.fail(refusal('TIMESTAMP_OUT_OF_RANGE'), refusal('TIMESTAMP_OUT_OF_RANGE'));
    await expect(client().accountInfo()).rejects.toMatchObject({ code: 'TIMESTAMP_OUT_OF_RANGE', status: 401 });
    expect(gateway.received).toHaveLength(2);
  });

  it('is not corrected by an answer without a Date', async () => {
    gateway.fail(refusal('TIMESTAMP_OUT_OF_RANGE', 'Set your clock.', { Date: '' }));
    await expect(client().accountInfo()).rejects.toBeInstanceOf(KurirError);
    expect(gateway.received).toHaveLength(1);
  });
});

describe('an answer that another try cannot change', () => {
  it('is not repeated after a refusal below 500 or a 501', async () => {
    gateway.fail(refusal('QUOTA_EXHAUSTED', 'Renew the plan.'), refusal('PAYMENT_METHOD_UNAVAILABLE'));
    const refused = client().sendMessage(text);
    await expect(refused).rejects.toMatchObject({ code: 'QUOTA_EXHAUSTED', status: 402, message: 'Renew the plan.' });
    await expect(client().accountInfo()).rejects.toMatchObject({ status: 501, requestId: 'req_1' });
    expect(gateway.received).toHaveLength(2);
  });

  it('is not repeated after the page of another server', async () => {
    gateway.fail({ status: 404, text: '<h1>Not here</h1>' });
    await expect(client().accountInfo()).rejects.toMatchObject({ status: 404, mayHaveArrived: false });
    expect(gateway.received).toHaveLength(1);
  });

  it('is not followed when it is a redirect, because the key would go to another server', async () => {
    gateway.fail({ status: 308, headers: { Location: 'http://127.0.0.1:9/' }, text: '' });
    await expect(client().accountInfo()).rejects.toThrow('it redirects');
    expect(gateway.received).toHaveLength(1);
  });
});

it('a repeat of createDevice after a 503 keeps its client_ref, so that no second device is created', async () => {
  gateway.fail(refusal('SERVICE_UNAVAILABLE'));
  await client().createDevice({ name: 'Toko' });
  const refs = gateway.received.map(({ body }) => String(JSON.parse(body).client_ref));
  expect(refs).toEqual([expect.stringMatching(/^kc_/), refs[0]]);
});
