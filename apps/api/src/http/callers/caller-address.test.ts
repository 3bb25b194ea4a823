import { afterAll, beforeAll, expect, test } from 'vitest';
import { newEmail } from '../../../test/person.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';
import { plainAddress } from './caller-address.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  [' 203.0.113.7:51234 ', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
  ['203.0.113.7:port', undefined],
  ['7', undefined],
  ['010.0.0.1', undefined],
])('%s is the address %s', (text, address) => expect(plainAddress(text)).toBe(address));

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

async function signInFrom(forwarded: string): Promise<number> {
  const answer = await fetch(`${t.url}/app/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: t.url, 'X-Forwarded-For': forwarded },
    body: JSON.stringify({ email: newEmail(), password: 'wrong wrong wrong' }),
  });
  return answer.status;
}

test.each([
  ['203.0.113.7:4001', '203.0.113.8:4001'],
  ['[2001:db8:1::1]:4001', '[2001:db8:2::1]:4001'],
  ['unknown', '203.0.113.9'],
])('the limit of %s leaves %s alone', async (one, other) => {
  const statuses = [];
  for (let i = 0; i < 25; i++) statuses.push(await signInFrom(one));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // Another port is the same caller.
  expect(await signInFrom(one.replace(':4001', ':4002'))).toBe(429);
  expect(await signInFrom(other)).toBe(401);
});
