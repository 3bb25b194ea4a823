import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signPayload, verifyPayload } from './sign-payload.js';

const secret = 'sandbox-provider-secret';
const timestamp = '1795240800';
const nowMs = 1_795_240_800_000;
const body = '{"renewal_id":"rnw_1","status":"paid"}';
const signature = signPayload(secret, timestamp, body);
const payload = { secret, timestamp, body, signature, nowMs };

describe('a payload that must not verify', () => {
  it.each([
    ['its body changed', { body: body.replace('rnw_1', 'rnw_2') }],
    ['its time changed', { timestamp: '1795240801' }],
    ['another secret signed it', { secret: 'another' }],
    ['the signature is cut', { signature: signature.slice(2) }],
    ['the signature is empty', { signature: '' }],
    ['it is 301 s old', { nowMs: nowMs + 301_000 }],
    ['it is 301 s ahead', { nowMs: nowMs - 301_000 }],
    ['it is older than a narrower tolerance', { nowMs: nowMs + 11_000, toleranceSeconds: 10 }],
  ])('is one where %s', (_, change) => {
    expect(verifyPayload({ ...payload, ...change })).toBe(false);
  });

  it('is one whose text moved from the time to the body', () => {
    const signed = signPayload(secret, '1795240800', '123.x');
    expect(verifyPayload({ ...payload, timestamp: '1795240800.123', body: 'x', signature: signed })).toBe(false);
  });

  it('is any other text, without an error', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (time, mark) => !verifyPayload({ ...payload, timestamp: time, signature: mark })),
    );
    fc.assert(fc.property(text, (mark) => !verifyPayload({ ...payload, signature: mark })));
  });
});

describe('a payload that verifies', () => {
  it('was signed over the time, a full stop and the raw body', () => {
    // printf '%s' '1795240800.{}' | openssl dgst -sha256 -hmac sandbox-provider-secret
    expect(signPayload(secret, timestamp, '{}')).toBe(
      '42ba5139e9052704204b4609aa905b4cd56e190d35a79e76782894bb85beeb52',
    );
  });

  it('may be at either end of the tolerance, text or bytes, in upper or lower case hex', () => {
    expect(verifyPayload({ ...payload, nowMs: nowMs + 300_000 })).toBe(true);
    expect(verifyPayload({ ...payload, nowMs: nowMs - 300_000 })).toBe(true);
    expect(verifyPayload({ ...payload, body: Buffer.from(body, 'utf8') })).toBe(true);
    expect(verifyPayload({ ...payload, signature: signature.toUpperCase() })).toBe(true);
  });
});
