import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { differenceOf } from './difference.js';
import { findMistake } from './likely-mistakes.js';
import { signatureOf, stringToSign } from './signing.js';

type Vector = {
  name: string;
  secret: string;
  method: string;
  target: string;
  timestamp: string;
  body?: string;
  string_to_sign: string;
  signature: string;
};
const all = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../../../packages/signing/vectors.json', import.meta.url)), 'utf8'),
) as Vector[];
// A vector with binary bytes has no `body`: nobody can type it into a field.
const vectors = all.flatMap((vector) => (vector.body === undefined ? [] : [{ ...vector, body: vector.body }]));

test('the published vectors are found', () => expect(vectors.length).toBeGreaterThanOrEqual(12));

test.each(vectors)('the page signs like the vector: $name', async (vector) => {
  const text = await stringToSign(vector);
  expect(text).toBe(vector.string_to_sign);
  expect(await signatureOf(text, vector.secret)).toBe(vector.signature.toLowerCase());
});

describe('a wrong signature', () => {
  const secret = 'ks_test_0fJ3mQ7xV2bN8cK5tR1yW6zD4hG9sL0pE3uA7iO2kXq';
  const parts = {
    method: 'POST',
    target: '/api/v1/messages?x=1',
    timestamp: '1795240800',
    body: '{"url": "https://a.b"}',
  };
  const bodyHex = async (body: string) => (await stringToSign({ ...parts, body })).split(':').at(-1) ?? '';

  test.each([
    ['method_case', async () => `post:${parts.target}:${parts.timestamp}:${await bodyHex(parts.body)}`],
    ['target_without_query', () => stringToSign({ ...parts, target: '/api/v1/messages' })],
    ['target_slash', () => stringToSign({ ...parts, target: `${parts.target}/` })],
    ['timestamp_unit', () => stringToSign({ ...parts, timestamp: '1795240800000' })],
    ['body_left_out', async () => `POST:${parts.target}:${parts.timestamp}:`],
    ['body_not_hashed', async () => `POST:${parts.target}:${parts.timestamp}:${parts.body}`],
    ['body_newline', () => stringToSign({ ...parts, body: `${parts.body}\n` })],
    ['body_reformatted', () => stringToSign({ ...parts, body: '{"url":"https://a.b"}' })],
    ['body_slashes', () => stringToSign({ ...parts, body: parts.body.replaceAll('/', '\\/') })],
    [
      'hash_upper_case',
      async () => `POST:${parts.target}:${parts.timestamp}:${(await bodyHex(parts.body)).toUpperCase()}`,
    ],
    [
      'separator_newline',
      async () => [parts.method, parts.target, parts.timestamp, await bodyHex(parts.body)].join('\n'),
    ],
  ] as const)('is explained: %s', async (mistake, text) => {
    expect(await findMistake(parts, secret, (await signatureOf(await text(), secret)).toUpperCase())).toBe(mistake);
  });

  test('is explained if its secret lost the prefix', async () => {
    const signature = await signatureOf(await stringToSign(parts), secret.slice('ks_test_'.length));
    expect(await findMistake(parts, secret, signature)).toBe('secret_trimmed');
  });

  test('is not explained if it comes from another secret', async () => {
    expect(await findMistake(parts, secret, await signatureOf(await stringToSign(parts), 'ks_test_other'))).toBeNull();
  });
});

test('a difference begins at a whole character, never inside one', () => {
  expect(differenceOf('POST:/a', 'POST:/a')).toBeNull();
  expect(differenceOf('post:/a', 'POST:/a')).toEqual({ same: '', yours: 'post:/a', ours: 'POST:/a' });
  expect(differenceOf('a🎉b', 'a🎊b')).toEqual({ same: 'a', yours: '🎉b', ours: '🎊b' });
  expect(differenceOf('abc', 'ab')).toEqual({ same: 'ab', yours: 'c', ours: '' });
});
