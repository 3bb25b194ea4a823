import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RequestToSign, sha256Hex, signRequest, stringToSign } from './sign-request.js';
import { verifyRequestSignature } from './verify-request-signature.js';

const secret = 'ks_test_0fJ3mQ7xV2bN8cK5tR1yW6zD4hG9sL0pE3uA7iO2kXq';
const otherSecret = 'ks_test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const send: RequestToSign = {
  method: 'POST',
  target: '/api/v1/messages/send',
  timestamp: '1795240800',
  body: '{"message":"Halo","phone_destination":"6281234567890"}',
  secret,
};

function verify(request: RequestToSign, signature: string, secrets: readonly string[] = [secret]): number | null {
  const { body, secret: _secret, ...parts } = request;
  return verifyRequestSignature({ ...parts, bodySha256: sha256Hex(body), signature, secrets });
}

function flipBit(bytes: Uint8Array, bit: number): Buffer<ArrayBuffer> {
  const flipped = Buffer.from(bytes);
  const index = Math.floor(bit / 8) % flipped.length;
  flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << (bit % 8)), index);
  return flipped;
}

const ascii = (minLength: number) => fc.string({ unit: 'binary-ascii', minLength, maxLength: 60 });
const someRequest = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  target: ascii(0).map((rest) => `/${rest}`),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String),
  body: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  secret: fc.string({ minLength: 1, maxLength: 100 }),
});

describe('a signature that must not match', () => {
  it.each(['method', 'target', 'timestamp', 'body'] as const)('is refused after one flipped bit in the %s', (field) => {
    fc.assert(
      fc.property(someRequest, fc.nat(), (request, bit) => {
        const signature = signRequest(request);
        const bytes = Buffer.from(request[field]);
        const flipped = flipBit(bytes, bit);
        // latin1 keeps every byte, so a flipped high bit does not become U+FFFD.
        const changed = { ...request, [field]: field === 'body' ? flipped : flipped.toString('latin1') };
        expect(verify(changed, signature, [request.secret])).toBeNull();
      }),
    );
  });

  it('is refused after one flipped bit of its own', () => {
    fc.assert(
      fc.property(someRequest, fc.nat(), (request, bit) => {
        const signature = flipBit(Buffer.from(signRequest(request), 'hex'), bit).toString('hex');
        expect(verify(request, signature, [request.secret])).toBeNull();
      }),
    );
  });

  it('is refused without an error, whatever text it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (signature) => {
        expect(verify(send, signature)).toBeNull();
      }),
    );
  });

  it('is refused without an error, whatever the other parts are', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.record({ method: text, target: text, timestamp: text, body: text }), (parts) => {
        expect(verify({ ...parts, secret }, 'ab'.repeat(32))).toBeNull();
      }),
    );
  });

  const good = signRequest(send);
  it.each([
    ['nothing', ''],
    ['one digit less', good.slice(1)],
    ['one byte less', good.slice(2)],
    ['one digit more', `${good}0`],
    ['itself twice', good + good],
    ['a line break after it', `${good}\n`],
    ['a space before it', ` ${good}`],
    ['a scheme before it', `v1=${good}`],
    ['a digit that is not hex', `${good.slice(0, 63)}g`],
    ['full-width digits', '０'.repeat(64)],
    ['base64 of the same bytes', Buffer.from(good, 'hex').toString('base64')],
    ['the plain hash of the signed line', createHash('sha256').update(`${send.method}:${send.target}`).digest('hex')],
  ])('is refused when it is %s', (_, signature) => {
    expect(verify(send, signature)).toBeNull();
  });

  it('is refused when text moved across the border of two parts', () => {
    const moved = { ...send, target: '/api/v1/messages', timestamp: `send:${send.timestamp}` };
    const line = `POST:/api/v1/messages:send:${send.timestamp}:${sha256Hex(send.body)}`;
    const signature = createHmac('sha256', secret).update(line).digest('hex');
    expect(verify({ ...send, target: '/api/v1/messages:send' }, signature)).toBe(0);
    expect(verify(moved, signature)).toBeNull();
    expect(verify({ ...send, method: 'POST:/api/v1/messages', target: 'send' }, signature)).toBeNull();
  });

  it('never matches an unknown key, which has no secrets', () => {
    expect(verify(send, good, [])).toBeNull();
    expect(verify(send, signRequest({ ...send, secret: '' }), [])).toBeNull();
  });

  it('is refused when the method is written in another case', () => {
    expect(verify({ ...send, method: 'post' }, good)).toBeNull();
  });
});

describe('a signature of scheme 2', () => {
  const headers = { deviceId: 'dev_1', idempotencyKey: 'ord-7781' };
  const sendTwo = { ...send, signedHeaders: headers };
  const good = signRequest(sendTwo);

  it('verifies with the two headers that were signed', () => {
    expect(verify(sendTwo, good)).toBe(0);
    expect(verify(sendTwo, good.toUpperCase())).toBe(0);
  });

  it('is refused with another value of a signed header, or without it', () => {
    for (const change of [
      { deviceId: 'dev_2' },
      { deviceId: 'DEV_1' },
      { deviceId: null },
      { idempotencyKey: 'ord-7782' },
      { idempotencyKey: null },
      { deviceId: 'ord-7781', idempotencyKey: 'dev_1' },
    ])
      expect(verify({ ...sendTwo, signedHeaders: { ...headers, ...change } }, good)).toBeNull();
  });

  it('is refused after any change of a header', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, (deviceId, idempotencyKey, other) => {
        fc.pre(!deviceId.includes(':') && other !== deviceId && other !== idempotencyKey);
        const request = { ...send, signedHeaders: { deviceId, idempotencyKey } };
        const signature = signRequest(request);
        expect(verify(request, signature)).toBe(0);
        expect(verify({ ...send, signedHeaders: { deviceId: other, idempotencyKey } }, signature)).toBeNull();
        expect(verify({ ...send, signedHeaders: { deviceId, idempotencyKey: other } }, signature)).toBeNull();
      }),
    );
  });

  it('never verifies by scheme 1, whatever is taken for its method, target and time', () => {
    expect(verify(send, good)).toBeNull();
    const [, ...parts] = stringToSign({ ...sendTwo, bodySha256: sha256Hex(send.body) }).split(':');
    for (let cut = 1; cut < parts.length - 1; cut++) {
      const target = parts.slice(0, cut).join(':');
      expect(verify({ ...send, method: 'v2', target, timestamp: parts.slice(cut, -1).join(':') }, good)).toBeNull();
    }
  });

  it('is refused when text moved between target, time and device', () => {
    const moved = { ...send, target: '/api/v1/messages?a', signedHeaders: { ...headers, deviceId: '1:dev_1' } };
    const signature = signRequest(moved);
    expect(verify(moved, signature)).toBeNull();
    expect(verify({ ...moved, timestamp: `${send.timestamp}:1`, signedHeaders: headers }, signature)).toBeNull();
  });
});

describe('a signature that matches', () => {
  it('names the live secret that made it, the first if both are the same', () => {
    expect(verify(send, signRequest({ ...send, secret: otherSecret }), [secret, otherSecret])).toBe(1);
    expect(verify(send, signRequest(send), [secret, otherSecret])).toBe(0);
    expect(verify(send, signRequest(send), [secret, secret])).toBe(0);
    expect(verify(send, signRequest({ ...send, secret: 'ks_test_retired' }), [secret, otherSecret])).toBeNull();
  });

  it('is accepted in upper and in mixed case', () => {
    const signature = signRequest(send);
    expect(verify(send, signature.toUpperCase())).toBe(0);
    expect(verify(send, signature.slice(0, 32).toUpperCase() + signature.slice(32))).toBe(0);
  });

  it('is the same for a text and for its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        expect(signRequest({ ...send, body })).toBe(signRequest({ ...send, body: Buffer.from(body, 'utf8') }));
      }),
    );
  });
});
