import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import vectors from '@kurir/signing/vectors.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { sha256Hex, signRequest, stringToSign } from './sign-request.js';
import { verifyRequestSignature } from './verify-request-signature.js';

const packageFolder = new URL('..', import.meta.url);
const hasPython = spawnSync('python3', ['--version']).status === 0;

function bodyOf(vector: (typeof vectors)[number]): Buffer {
  return vector.body === undefined ? Buffer.from(vector.body_base64, 'base64') : Buffer.from(vector.body, 'utf8');
}

describe('the published vectors', () => {
  it("begin with the contract's own two", () => {
    expect(vectors.slice(0, 2).map((vector) => vector.signature)).toEqual([
      'b3494fe511d2fc17b5266911671cfd580357b4f3e0c0952cb8df1ed28bd429fc',
      '8cf2723a6d150f3644b37b5a78156e171d7a62b9045f3cdae0ca4b10077968ec',
    ]);
    expect(vectors[0] && bodyOf(vectors[0])).toHaveLength(106);
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

  it('hashes, joins and signs as published, in lower case', () => {
    expect(bodySha256).toBe(vector.body_sha256);
    expect(stringToSign({ method, target, timestamp, bodySha256 })).toBe(vector.string_to_sign);
    expect(signRequest({ method, target, timestamp, body, secret })).toBe(signature.toLowerCase());
  });

  it('verifies as published', () => {
    expect(verifyRequestSignature({ method, target, timestamp, bodySha256, signature, secrets: [secret] })).toBe(0);
  });
});
