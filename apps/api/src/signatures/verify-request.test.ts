import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, publicOperations } from '@kurir/contracts';
import type { LiveApiKey } from '@kurir/database';
import { sha256Hex, signRequest } from '@kurir/signing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiKeyCache } from './api-key-cache.js';
import {
  checkCredentials,
  type Credentials,
  hasCredentials,
  readCredentials,
  readDeviceId,
  type ReceivedRequest,
  verifyRequest,
} from './verify-request.js';

const now = Date.parse('2026-11-21T10:00:00.000Z');
const [newest, older] = ['ks_test_new', 'ks_test_old'];

const key: LiveApiKey = {
  id: 'kk_test_a',
  accountId: 'acc_a',
  suspended: false,
  country: 'ID',
  scopes: [],
  allowedIps: [],
  secrets: [
    { version: 2, secret: newest },
    { version: 1, secret: older },
  ],
};

function keysWith(change: Partial<LiveApiKey> = {}) {
  const read = (id: string) => Promise.resolve(id === key.id ? { ...key, ...change } : null);
  return { read, readAnew: read };
}

type Signed = { method: string; target: string; timestamp: string; body: Buffer };

const plain: Signed = {
  method: 'POST',
  target: '/api/v1/messages/send?x=%20+',
  timestamp: String(now / 1000),
  body: Buffer.from('{"message":"Kode 493021 — é"}'),
};

type Sent = Omit<ReceivedRequest, 'credentials'> & { readonly credentials: Credentials };

/** Both halves, as the server runs them. */
async function verify(keys: Pick<ApiKeyCache, 'read' | 'readAnew'>, { credentials, ...request }: Sent) {
  return verifyRequest(keys, { ...request, credentials: await checkCredentials(keys, credentials, now) });
}

function received(parts: Signed, credentials: Partial<Credentials> = {}, secret = newest): Sent {
  const { method, target, timestamp, body } = parts;
  const signature = signRequest({ method, target, timestamp, body, secret });
  return {
    entry: publicOperations.sendMessage,
    credentials: { apiKey: key.id, timestamp, signature, ...credentials },
    method,
    target,
    body,
    ip: () => '203.0.113.7',
  };
}

async function refusal(request: Sent, keys = keysWith()): Promise<ApiError> {
  const error: unknown = await verify(keys, request).catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error('it was not refused', { cause: error });
}

test.each([
  ['seconds', String(now / 1000)],
  ['milliseconds', String(now + 999)],
])(
  'a good request returns its caller, with a repeat key from the second and the signature: %s',
  async (_, timestamp) => {
    const request = received({ ...plain, timestamp });
    expect(await verify(keysWith(), request)).toEqual({
      by: 'key',
      accountId: 'acc_a',
      country: 'ID',
      actor: 'kk_test_a',
      repeatKey: Buffer.from((now / 1000).toString(16) + request.credentials.signature, 'hex'),
      secretVersion: 2,
      scopes: [],
    });
  },
);

test('during a rotation the older secret works too, and the caller has the version of the used one', async () => {
  expect(await verify(keysWith(), received(plain, {}, older))).toMatchObject({ secretVersion: 1 });
});

test('a secret that is newer than the key in memory is accepted', async () => {
  const keys = { ...keysWith(), read: () => Promise.resolve({ ...key, secrets: [{ version: 0, secret: 'before' }] }) };
  expect(await verify(keys, received(plain))).toMatchObject({ secretVersion: 2 });
});

test('a key that was revoked since is refused as revoked', async () => {
  const keys = { ...keysWith({ secrets: [] }), readAnew: () => Promise.resolve(null) };
  expect((await refusal(received(plain), keys)).code).toBe('INVALID_API_KEY');
});

test('an unknown key is refused as unknown, whatever its signature is', async () => {
  expect((await refusal(received(plain, { apiKey: 'kk_test_b' }))).code).toBe('INVALID_API_KEY');
});

describe('the time window', () => {
  test.each([
    [-300, 'ok'],
    [60, 'ok'],
    [-301, 'TIMESTAMP_OUT_OF_RANGE'],
    [61, 'TIMESTAMP_OUT_OF_RANGE'],
  ])('%i s from now: %s', async (seconds, expected) => {
    for (const timestamp of [String(now / 1000 + seconds), String(now + seconds * 1000)]) {
      const request = received({ ...plain, timestamp });
      const outcome = await verify(keysWith(), request).then(
        () => 'ok',
        (error: ApiError) => error.code,
      );
      expect(outcome).toBe(expected);
    }
  });

  test('a refusal gives the server’s time and the difference', async () => {
    const error = await refusal(received({ ...plain, timestamp: String(now / 1000 - 4_000) }));
    expect(error.message).toMatch(/-4000 s.*server's time is 1795255200 \(2026-11-21T10:00:00.000Z\)/);
  });

  test.each(['', 'now', '12', '1795255200.5', ' 1795255200', '1795255200000000', '0x6b00', '１７９５２５５２００'])(
    '%j is not a valid timestamp',
    async (timestamp) => {
      expect((await refusal(received({ ...plain, timestamp }))).code).toBe('TIMESTAMP_OUT_OF_RANGE');
    },
  );
});

test('the refusal of a wrong signature shows what the server received, and never the right signature', async () => {
  const request = received(plain, { signature: '0'.repeat(64) });
  const error = await refusal(request);
  expect(error.code).toBe('INVALID_SIGNATURE');
  for (const seen of [plain.method, plain.target, plain.timestamp, sha256Hex(plain.body)])
    expect(error.message).toContain(seen);
  expect(error.message).not.toContain(received(plain).credentials.signature);
});

describe('scheme 2', () => {
  const signedHeaders = { deviceId: 'dev_1', idempotencyKey: 'ord:7781 é' };

  function receivedTwo(change: Partial<typeof signedHeaders> = {}, credentials: Partial<Credentials> = {}): Sent {
    const { method, target, timestamp, body } = plain;
    const signature = signRequest({ method, target, timestamp, body, signedHeaders, secret: newest });
    return received(plain, { signature, signedHeaders: { ...signedHeaders, ...change }, ...credentials });
  }

  test('returns the caller, with a repeat key from the second and the signature', async () => {
    const request = receivedTwo();
    expect(await verify(keysWith(), request)).toMatchObject({
      actor: 'kk_test_a',
      repeatKey: Buffer.from((now / 1000).toString(16) + request.credentials.signature, 'hex'),
    });
  });

  test('is refused if a signed header was changed, and shows what the server received but not the signature', async () => {
    const error = await refusal(receivedTwo({ deviceId: 'dev_2' }));
    expect(error.code).toBe('INVALID_SIGNATURE');
    const keySha256 = sha256Hex(signedHeaders.idempotencyKey);
    for (const seen of ['scheme 2', 'dev_2', keySha256, plain.target, plain.timestamp, sha256Hex(plain.body)])
      expect(error.message).toContain(seen);
    const rightOne = signRequest({ ...plain, signedHeaders: { ...signedHeaders, deviceId: 'dev_2' }, secret: newest });
    expect(error.message).not.toContain(rightOne);
    expect((await refusal(receivedTwo({ idempotencyKey: 'ord-7782' }))).code).toBe('INVALID_SIGNATURE');
  });

  test('is no signature of scheme 1, and the reverse', async () => {
    expect((await refusal(receivedTwo({}, { signedHeaders: undefined }))).code).toBe('INVALID_SIGNATURE');
    expect((await refusal(received(plain, { signedHeaders }))).code).toBe('INVALID_SIGNATURE');
  });
});

describe('X-Signature-Version', () => {
  const all = { 'x-api-key': 'k', 'x-timestamp': 't', 'x-signature': 's', 'x-device-id': 'd' };
  const read = (headers: IncomingHttpHeaders) => readCredentials(headers, publicOperations.deviceInfo).signedHeaders;

  test.each([undefined, '1'])('%j is scheme 1, which signs no header', (version) => {
    expect(read({ ...all, 'x-signature-version': version, 'idempotency-key': 'k' })).toBeUndefined();
  });

  test('2 is scheme 2, which signs the two headers as the client sent them', () => {
    const utf8 = Buffer.from('ord-é', 'utf8').toString('latin1');
    expect(read({ ...all, 'x-signature-version': '2', 'idempotency-key': utf8 })).toEqual({
      deviceId: 'd',
      idempotencyKey: 'ord-é',
    });
    expect(read({ ...all, 'x-signature-version': '2' })).toEqual({ deviceId: 'd', idempotencyKey: null });
  });

  test.each(['', '0', '01', '02', ' 2', '2 ', '2.0', '+2', '2, 2', '1, 2', 'v2', '３', '3', '9'.repeat(9_000)])(
    '%j is refused with a sentence',
    (version) => {
      const tried = () => read({ ...all, 'x-signature-version': version });
      expect(tried).toThrow(expect.objectContaining({ code: 'INVALID_SIGNATURE' }));
      expect(tried).toThrow(/^X-Signature-Version is .{2,40}\. Send exactly 2 for scheme 2, or leave it out/);
    },
  );

  test('is a part of a signature, so a cookie beside it does not count', () => {
    expect(hasCredentials({ 'x-signature-version': '2', cookie: 'session=1' })).toBe(true);
  });
});

test('one flipped bit in method, target, time or body is never accepted', async () => {
  const flip = (bytes: Buffer, bit: number) => {
    const flipped = Buffer.from(bytes);
    const at = Math.floor(bit / 8) % flipped.length;
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit % 8));
    return flipped;
  };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('method', 'target', 'timestamp', 'body'), fc.nat(4_000), async (part, bit) => {
      const changed = flip(Buffer.from(plain[part]), bit);
      const request = { ...received(plain), [part]: part === 'body' ? changed : changed.toString('latin1') };
      const credentials = {
        ...request.credentials,
        ...(part === 'timestamp' ? { timestamp: changed.toString('latin1') } : {}),
      };
      expect((await refusal({ ...request, credentials })).code).toMatch(/INVALID_SIGNATURE|TIMESTAMP_OUT_OF_RANGE/);
    }),
    { numRuns: 500 },
  );
});

test('one flipped bit in the signature, or another length of it, is never accepted', async () => {
  const { signature } = received(plain).credentials;
  for (const wrong of [
    signature.slice(2),
    `${signature}00`,
    signature.replace(/^./, 'g'),
    `0x${signature}`,
    `${signature} `,
  ])
    expect((await refusal(received(plain, { signature: wrong }))).code).toBe('INVALID_SIGNATURE');
  for (let bit = 0; bit < 256; bit++) {
    const bytes = Buffer.from(signature, 'hex');
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect((await refusal(received(plain, { signature: bytes.toString('hex') }))).code).toBe('INVALID_SIGNATURE');
  }
});

test('a key without the scope or from another address gets 403 with the reason', async () => {
  expect((await refusal(received(plain), keysWith({ scopes: ['devices:read'] }))).message).toContain('messages:send');
  expect((await refusal(received(plain), keysWith({ allowedIps: ['203.0.113.0/30'] }))).message).toContain(
    '203.0.113.7',
  );
  const allowed = keysWith({ scopes: ['messages:send'], allowedIps: ['10.0.0.0/8', '203.0.113.0/24'] });
  expect(await verify(allowed, received(plain))).toMatchObject({ accountId: 'acc_a' });
});

test('a wrong signature reveals nothing about scopes and addresses', async () => {
  const request = received(plain, { signature: '0'.repeat(64) });
  expect((await refusal(request, keysWith({ scopes: ['devices:read'] }))).code).toBe('INVALID_SIGNATURE');
});

describe('missing headers', () => {
  const all = { 'x-api-key': 'k', 'x-timestamp': 't', 'x-signature': 's', 'x-device-id': 'd' };

  test.each([
    ['x-api-key', 'X-API-Key'],
    ['x-timestamp', 'X-Timestamp'],
    ['x-signature', 'X-Signature'],
    ['x-device-id', 'X-Device-Id'],
  ])('%s is named', (name, shown) => {
    for (const headers of [
      { ...all, [name]: undefined },
      { ...all, [name]: '' },
    ])
      expect(() => readCredentials(headers, publicOperations.deviceInfo)).toThrow(new RegExp(shown));
  });

  test('X-Device-Id is required only by publicOperations with a device', () => {
    expect(readDeviceId({ ...all, 'x-device-id': undefined }, publicOperations.accountInfo)).toBeNull();
  });
});
