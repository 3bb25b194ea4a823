import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { differenceOf, differingParts } from './difference.js';
import { findMistake } from './likely-mistakes.js';
import { partsOf, sha256Hex, signatureOf, stringToSign } from './signing.js';

type Vector = {
  name: string;
  secret: string;
  method: string;
  target: string;
  timestamp: string;
  body?: string;
  version?: number;
  device_id?: string | null;
  idempotency_key?: string | null;
  string_to_sign: string;
  signature: string;
};
const all = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../../../packages/signing/vectors.json', import.meta.url)), 'utf8'),
) as Vector[];
// A vector with binary bytes has no `body`: nobody can type it into a field.
const vectors = all.flatMap(({ body, version, device_id: deviceId, idempotency_key: idempotencyKey, ...vector }) =>
  body === undefined
    ? []
    : [
        {
          ...vector,
          body,
          version: version === 2 ? '2' : '',
          deviceId: deviceId ?? '',
          idempotencyKey: idempotencyKey ?? '',
        },
      ],
);

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
    version: '',
    deviceId: 'dev_1',
    idempotencyKey: 'a:b',
  };
  const two = { ...parts, version: '2' };
  const texts = async () => (await partsOf(two)).map(({ text }) => text);
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

  test.each([
    ['version_left_out', async () => (await texts()).slice(1).join(':')],
    ['device_left_out', () => stringToSign({ ...two, deviceId: '' })],
    ['device_left_out', async () => (await texts()).toSpliced(4, 1).join(':')],
    ['key_left_out', () => stringToSign({ ...two, idempotencyKey: '' })],
    ['key_left_out', async () => (await texts()).toSpliced(5, 1).join(':')],
    ['key_not_hashed', async () => (await texts()).with(5, 'a:b').join(':')],
    [
      'parts_order',
      async () => {
        const [v = '', method = '', target = '', timestamp = '', device = '', key = '', body = ''] = await texts();
        return [v, method, target, device, timestamp, body, key].join(':');
      },
    ],
    ['scheme_one', () => stringToSign(parts)],
    ['body_newline', () => stringToSign({ ...two, body: `${parts.body}\n` })],
    ['target_without_query', () => stringToSign({ ...two, target: '/api/v1/messages' })],
  ] as const)('of scheme 2 is explained: %s', async (mistake, text) => {
    expect(await findMistake(two, secret, await signatureOf(await text(), secret))).toBe(mistake);
  });

  test('is explained if it is of scheme 2 and its header was forgotten', async () => {
    const signature = await signatureOf(await stringToSign(two), secret);
    expect(await findMistake(parts, secret, signature)).toBe('version_header');
  });

  test('is explained if its parts have another order', async () => {
    const text = `POST:${parts.timestamp}:${parts.target}:${await sha256Hex(parts.body)}`;
    expect(await findMistake(parts, secret, await signatureOf(text, secret))).toBe('parts_order');
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

describe('the parts that differ', () => {
  const ours = [
    { name: 'version', text: 'v2' },
    { name: 'method', text: 'POST' },
    { name: 'target', text: '/a?t=1:2' },
    { name: 'timestamp', text: '17' },
    { name: 'deviceId', text: 'dev_1' },
    { name: 'keyHash', text: 'aa' },
    { name: 'bodyHash', text: 'bb' },
  ] as const;
  const namesOf = (yours: string) => differingParts(yours, ours)?.map(({ name }) => name);

  test('are named, whatever colons the target has', () => {
    expect(namesOf('v2:POST:/a?t=1:2:17:dev_1:aa:bb')).toEqual([]);
    expect(namesOf('v2:POST:/a?t=1:2:18:dev_2:aa:bc')).toEqual(['timestamp', 'deviceId', 'bodyHash']);
    expect(namesOf('v2:post:/a?t=1:17:dev_1:aa:bb')).toEqual(['method', 'target']);
    expect(differingParts('v2:POST:/a?t=1:2:17::aa:bb', ours)).toEqual([
      { name: 'deviceId', same: '', yours: '', ours: 'dev_1' },
    ]);
  });

  test('are not guessed if a text has too few parts', () => {
    expect(differingParts('POST:/a:17:bb', ours)).toBeNull();
    expect(differingParts('', ours)).toBeNull();
  });
});
