import { makeWebhookSecret, signWebhook } from '@kurir/signing';
import { expect, it } from 'vitest';
import { exampleEvent } from '../../test/gateway-fixture.js';
import { KurirWebhookError, verifyWebhook } from './verify-webhook.js';

const secret = makeWebhookSecret();
const event = exampleEvent({ sequence: 4 });
const body = JSON.stringify(event);
const seconds = () => Math.floor(Date.now() / 1000);
const signed = (text = body, timestamp = seconds()) => ({
  ...signWebhook([secret], { id: event.id, timestamp, body: text }),
});

const reasonOf = (...request: Parameters<typeof verifyWebhook>): string => {
  try {
    verifyWebhook(...request);
    return 'valid';
  } catch (error) {
    return error instanceof KurirWebhookError ? error.reason : String(error);
  }
};

it('returns the event, with keys in camelCase', () => {
  const seen = verifyWebhook(secret, signed(), body);
  expect(seen).toMatchObject({ id: event.id, type: 'message.delivered', createdAt: event.created_at });
  expect(seen.type === 'message.delivered' && seen.data.jobId).toBe('msg_1');
});

it('takes headers as Node, Express and fetch have them, and bytes as well as text', () => {
  const headers = signed();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const form of [headers, upper, lists, new Headers(headers)])
    for (const raw of [body, Buffer.from(body), new Uint8Array(Buffer.from(body))])
      expect(verifyWebhook(secret, form, raw).id).toBe(event.id);
});

it('takes any of several secrets', () => {
  expect(verifyWebhook([makeWebhookSecret(), secret], signed(), body).id).toBe(event.id);
  expect(reasonOf([makeWebhookSecret()], signed(), body)).toBe('wrong_signature');
});

it('says why it refuses', () => {
  expect(reasonOf(secret, signed(), `${body} `)).toBe('wrong_signature');
  expect(reasonOf(secret, { ...signed(), 'webhook-id': 'evt_other' }, body)).toBe('wrong_signature');
  expect(reasonOf(secret, signed(body, seconds() - 301), body)).toBe('too_old');
  expect(reasonOf(secret, signed(body, seconds() + 310), body)).toBe('too_old');
  expect(reasonOf(secret, {}, body)).toBe('malformed');
  expect(reasonOf(secret, { ...signed(), 'webhook-signature': undefined }, body)).toBe('malformed');
});

it.each(['no JSON', 'null', '[]', '"text"', '{}'])('a signed body of %s is malformed', (text) => {
  expect(reasonOf(secret, signed(text), text)).toBe('malformed');
});

it('names the mistake when it gets a parsed body, or no secret', () => {
  expect(reasonOf(secret, signed(), JSON.parse(body))).toContain('KurirUsageError: Give the raw body');
  expect(reasonOf([], signed(), body)).toContain('KurirUsageError');
  for (const unusable of ['', 'whsec_', 'ks_test_something_else']) {
    const said = reasonOf(unusable, signed(), body);
    expect(said).toContain('KurirUsageError');
    if (unusable.length > 6) expect(said).not.toContain(unusable);
  }
});
