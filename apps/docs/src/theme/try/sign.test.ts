import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { signatureOf } from './sign.js';

/** Some vectors show a signature that the gateway takes in upper case, too. */
type Vector = Record<'name' | 'secret' | 'method' | 'target' | 'timestamp' | 'body' | 'signature', string> & {
  readonly version?: string | number;
  readonly device_id?: string;
  readonly idempotency_key?: string;
};

const file = createRequire(import.meta.url).resolve('@kurir/signing/vectors.json');
const all = JSON.parse(readFileSync(file, 'utf8')) as Vector[];
const ofSchemeTwo = all.filter(({ version, body }) => String(version) === '2' && typeof body === 'string');

test('there are published vectors of scheme 2', () => expect(ofSchemeTwo.length).toBeGreaterThan(0));

test.each(ofSchemeTwo)('$name', async ({ secret, signature, device_id, idempotency_key, ...parts }) => {
  const signed = { ...parts, deviceId: device_id ?? '', idempotencyKey: idempotency_key ?? '' };
  expect(await signatureOf(signed, secret)).toBe(signature.toLowerCase());
});
