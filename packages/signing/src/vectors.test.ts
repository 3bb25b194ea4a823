import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import vectors from '@kurir/signing/vectors.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { sha256Hex, signRequest, stringToSign } from './sign-request.js';
import { verifyRequestSignature } from './verify-request-signature.js';

const packageFolder = new URL('..', import.meta.url);
const hasPython = spawnSync('python3', ['--version']).status === 0;

type Vector = (typeof vectors)[number];

function bodyOf(vector: Vector): Buffer {
  return vector.body === undefined ? Buffer.from(vector.body_base64, 'base64') : Buffer.from(vector.body, 'utf8');
}

const signedHeadersOf = ({ version, device_id: deviceId = null, idempotency_key: idempotencyKey = null }: Vector) =>
  version === 2 ? { deviceId, idempotencyKey } : undefined;

const schemeTwo = vectors.filter(({ version }) => version === 2);

describe('the published vectors', () => {
  it("begin with the contract's own two", () => {
    expect(vectors.slice(0, 2).map((vector) => vector.signature)).toEqual([
      'b3494fe511d2fc17b5266911671cfd580357b4f3e0c0952cb8df1ed28bd429fc',
      '8cf2723a6d150f3644b37b5a78156e171d7a62b9045f3cdae0ca4b10077968ec',
    ]);
    expect(vectors[0] && bodyOf(vectors[0])).toHaveLength(106);
  });

  it('have at least twelve of each scheme', () => {
    expect(schemeTwo.length).toBeGreaterThanOrEqual(12);
    expect(vectors.length - schemeTwo.length).toBeGreaterThanOrEqual(12);
  });

  it('have different names and different requests', () => {
    expect(new Set(vectors.map((vector) => vector.name)).size).toBe(vectors.length);
    expect(new Set(vectors.map((vector) => `${vector.secret} ${vector.string_to_sign}`)).size).toBe(vectors.length);
  });

  it('are the output of the generator, which shares no code with this package', (ctx) => {
    if (!hasPython) ctx.skip('skipped: python3 is not installed');
    const printed = execFileSync('python3', ['vectors.py'], { cwd: packageFolder, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(JSON.parse(readFileSync(new URL('vectors.json', packageFolder), 'utf8')));
  });
});

describe.each(vectors)('$name', (vector) => {
  const { method, target, timestamp, secret, signature } = vector;
  const body = bodyOf(vector);
  const bodySha256 = sha256Hex(body);
  const signedHeaders = signedHeadersOf(vector);

  it('hashes, joins and signs as published, in lower case', () => {
    expect(bodySha256).toBe(vector.body_sha256);
    expect(stringToSign({ method, target, timestamp, signedHeaders, bodySha256 })).toBe(vector.string_to_sign);
    expect(signRequest({ method, target, timestamp, signedHeaders, body, secret })).toBe(signature.toLowerCase());
  });

  it('verifies as published', () => {
    const request = { method, target, timestamp, signedHeaders, bodySha256, signature, secrets: [secret] };
    expect(verifyRequestSignature(request)).toBe(0);
  });

  it('does not verify by the other scheme', () => {
    const other = signedHeaders === undefined ? { deviceId: null, idempotencyKey: null } : undefined;
    const request = { method, target, timestamp, signedHeaders: other, bodySha256, signature, secrets: [secret] };
    expect(verifyRequestSignature(request)).toBeNull();
  });
});

describe.each(schemeTwo)('$name', (vector) => {
  it('publishes the hash of its Idempotency-Key', () => {
    expect(sha256Hex(vector.idempotency_key ?? '')).toBe(vector.idempotency_key_sha256);
  });
});
