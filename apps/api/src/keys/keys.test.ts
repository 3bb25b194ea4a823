import { createHmac } from 'node:crypto';
/** Tests the dashboard's routes of keys over HTTP, together with signed requests. */
import { sha256Hex, signRequest, stringToSign } from '@kurir/signing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Key } from '../../test/customer-fixture.js';
import { type Browser, type Person, signUp, signUpAs } from '../../test/person.js';
import { sendSigned } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let person: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  person = await signUp(t.url);
});
afterAll(() => t.close());

const data = async (...args: Parameters<Browser['call']>) => {
  const answer = await person.browser.call(...args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

const signed = (key: Key) => sendSigned(t.url, { method: 'GET', target: '/api/v1/account/info', key });

async function create(fields: object = {}) {
  const made = await data('createKey', { body: { name: 'Toko', mode: 'test', ...fields } });
  const { api_key } = made['key'] as { api_key: Key['id'] };
  return { id: api_key, secret: String(made['api_secret']) };
}

test('a new key works at once, and no later answer has its secret', async () => {
  const key = await create();
  expect((await signed(key)).status).toBe(200);
  expect(JSON.stringify(await data('listKeys'))).not.toContain(key.secret);
});

test('a rotated key works with both secrets, and shows when the old one was last used', async () => {
  const key = await create();
  const rotated = await data('rotateKey', { params: { api_key: key.id }, body: { overlap_hours: 1 } });
  await expect
    .poll(async () => (await signed({ ...key, secret: String(rotated['api_secret']) })).status, { timeout: 8_000 })
    .toBe(200);
  expect((await signed(key)).status).toBe(200);
  await expect
    .poll(
      async () => {
        const { keys } = (await data('listKeys')) as {
          keys: { api_key: string; secrets: { version: number; last_used_at: string | null }[] }[];
        };
        return keys.find(({ api_key }) => api_key === key.id)?.secrets.find(({ version }) => version === 1)
          ?.last_used_at;
      },
      { timeout: 8_000 },
    )
    .toMatch(/^20/);
});

test('a revoked key is soon refused, and can be neither rotated nor changed', async () => {
  const key = await create();
  await data('revokeKey', { params: { api_key: key.id } });
  await expect.poll(async () => (await signed(key)).body.code, { timeout: 6_000 }).toBe('INVALID_API_KEY');
  for (const operation of ['rotateKey', 'changeKey', 'revokeKey'] as const) {
    const parts = { params: { api_key: key.id }, ...(operation === 'revokeKey' ? {} : { body: {} }) };
    expect((await person.browser.call(operation, parts)).body.code, operation).toBe('KEY_NOT_FOUND');
  }
});

test('scopes and allow-list apply, and an invalid entry is named', async () => {
  const key = await create({ scopes: ['messages:send'], allowed_ips: ['203.0.113.0/24'] });
  expect((await signed(key)).body.code).toBe('KEY_NOT_ALLOWED');
  const wrong = await person.browser.call('createKey', { body: { name: 'x', allowed_ips: ['203.0.113.1', 'home'] } });
  expect(wrong.body.error).toContain('allowed_ips[1]');
});

test('a developer may create a key, and the audit log has their name', async () => {
  const developer = await signUpAs(t.url, t.database, person.accountId, 'developer');
  expect(
    (await developer.browser.call('createKey', { body: { name: 'Theirs', scopes: ['messages:send'] } })).status,
  ).toBe(200);
  const { entries } = (await data('listAudit')) as { entries: { action: string; actor: { id: string } }[] };
  expect(entries[0]).toMatchObject({ action: 'key.created', actor: { id: developer.userId } });
});

describe('the signing debugger', () => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const request = {
    method: 'POST',
    target: '/api/v1/messages/send?b=2&a=1',
    timestamp,
    body: '{"url":"https://a/b"}',
  };
  const text = stringToSign({ ...request, bodySha256: sha256Hex(request.body) });
  let key: Key;
  beforeAll(async () => {
    key = await create();
  });

  const ask = (fields: object) => data('debugSignature', { body: { ...request, api_key: key.id, ...fields } });
  const sign = (changes: object) => signRequest({ ...request, secret: key.secret, ...changes });

  const headers = { deviceId: 'dev_1', idempotencyKey: 'a:b' };
  const two = { signature_version: '2', device_id: headers.deviceId, idempotency_key: headers.idempotencyKey };
  const textTwo = stringToSign({ ...request, signedHeaders: headers, bodySha256: sha256Hex(request.body) });
  const swapped = ['dev_1', sha256Hex(request.body), sha256Hex('a:b')];
  const signTwo = (changes: object, parts: object = {}) =>
    sign({ ...parts, signedHeaders: { ...headers, ...changes } });
  const hmac = (line: string) => createHmac('sha256', key.secret).update(line).digest('hex');

  test('accepts a right signature of scheme 2 and shows its seven parts', async () => {
    const answer = await ask({ ...two, signature: signTwo({}) });
    expect(answer).toMatchObject({ matches: true, string_to_sign: textTwo, findings: [] });
    expect(Object.values(answer['parts'] as object).join(':')).toBe(textTwo);
  });

  test('finds only the mistake that was made', async () => {
    expect((await ask({ ...two, signature: signTwo({ deviceId: null }) }))['findings']).toEqual(['device_left_out']);
    const withoutHeader = await ask({ ...two, signature_version: undefined, signature: signTwo({}) });
    expect(withoutHeader['findings']).toEqual(['version_header_missing']);
  });

  test('names the part in which the strings to sign differ', async () => {
    const partOf = async (yours: string) => {
      const answer = await ask({ ...two, signature: 'x', string_to_sign: yours });
      return (answer['difference'] as { part: string }).part;
    };
    expect(await partOf(textTwo.slice(3))).toBe('version');
    expect(await partOf(textTwo.replace('dev_1', 'dev_2'))).toBe('device_id');
    expect(await partOf(textTwo.replace(':dev_1', ''))).toBe('device_id');
    expect(await partOf(textTwo.replace(sha256Hex('a:b'), sha256Hex('')))).toBe('idempotency_key_sha256');
    expect(await partOf(`${textTwo} `)).toBe('body_sha256');
  });

  test('accepts a right signature and shows the string to sign', async () => {
    expect(await ask({ signature: sign({}) })).toMatchObject({
      matches: true,
      secret_version: 1,
      string_to_sign: text,
      findings: [],
    });
  });

  test.each<[string, () => object]>([
    ['method_not_upper_case', () => ({ signature: sign({ method: 'post' }) })],
    ['target_without_query', () => ({ signature: sign({ target: '/api/v1/messages/send' }) })],
    ['target_query_sorted', () => ({ signature: sign({ target: '/api/v1/messages/send?a=1&b=2' }) })],
    ['timestamp_in_other_unit', () => ({ signature: sign({ timestamp: `${timestamp}000` }) })],
    ['body_slashes_escaped', () => ({ signature: sign({ body: '{"url":"https:\\/\\/a\\/b"}' }) })],
    ['body_with_newline', () => ({ signature: sign({ body: `${request.body}\n` }) })],
    ['body_left_out', () => ({ signature: sign({ body: '' }) })],
    ['body_reformatted', () => ({ signature: sign({ body: '{"url": "https://a/b"}' }) })],
    ['version_header_missing', () => ({ ...two, signature_version: undefined, signature: signTwo({}) })],
    ['version_unknown', () => ({ ...two, signature_version: '02', signature: signTwo({}) })],
    ['signed_in_scheme_1', () => ({ ...two, signature: sign({}) })],
    ['version_left_out', () => ({ ...two, signature: hmac(textTwo.slice(3)) })],
    ['device_left_out', () => ({ ...two, signature: signTwo({ deviceId: null }) })],
    ['device_left_out', () => ({ ...two, signature: hmac(textTwo.replace(':dev_1', '')) })],
    ['idempotency_key_left_out', () => ({ ...two, signature: signTwo({ idempotencyKey: null }) })],
    ['idempotency_key_left_out', () => ({ ...two, signature: hmac(textTwo.replace(sha256Hex('a:b'), '')) })],
    ['idempotency_key_not_hashed', () => ({ ...two, signature: hmac(textTwo.replace(sha256Hex('a:b'), 'a:b')) })],
    ['parts_reordered', () => ({ ...two, signature: hmac([...textTwo.split(':').slice(0, 4), ...swapped].join(':')) })],
    ['parts_reordered', () => ({ signature: hmac(`POST:${timestamp}:${request.target}:${sha256Hex(request.body)}`) })],
    ['body_left_out', () => ({ ...two, signature: signTwo({}, { body: '' }) })],
    ['target_without_query', () => ({ ...two, signature: signTwo({}, { target: '/api/v1/messages/send' }) })],
    ['signature_base64', () => ({ signature: Buffer.from(sign({}), 'hex').toString('base64') })],
    ['secret_trimmed_prefix', () => ({ signature: sign({ secret: key.secret.replace('ks_test_', '') }) })],
    ['unexplained', () => ({ signature: sign({ secret: 'of somebody else' }) })],
    ['unknown_key', () => ({ signature: sign({}), api_key: 'kk_test_other' })],
    ['timestamp_out_of_range', () => ({ timestamp: '1763690000', signature: sign({ timestamp: '1763690000' }) })],
  ])('finds %s', async (finding, fields) => {
    const answer = await ask(fields());
    expect(answer['findings']).toContain(finding);
    expect(answer['matches']).toBe(false);
  });

  test('shows where the strings to sign differ', async () => {
    const answer = await ask({ signature: 'x', string_to_sign: text.replace('b=2', 'b=3') });
    expect(answer['difference']).toMatchObject({
      at: text.indexOf('b=2') + 2,
      yours: expect.stringMatching(/^3/),
      ours: expect.stringMatching(/^2/),
    });
  });

  test('never shows the right signature', async () => {
    for (const signature of ['', 'x', 'a'.repeat(64)]) {
      expect(JSON.stringify(await ask({ signature }))).not.toContain(sign({}));
      expect(JSON.stringify(await ask({ ...two, signature }))).not.toContain(signTwo({}));
    }
  });
});
