import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEmail } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { ownLocation } from './own-redirects.js';

const publicUrl = 'https://kurir.test';

test.each([
  ['/app?error=INVALID_TOKEN', '/app?error=INVALID_TOKEN'],
  ['https://kurir.test/app', '/app'],
  ['//evil.example/login', '/app'],
  ['https://evil.example/login', '/app'],
  ['https://kurir.test.evil.example/', '/app'],
  ['javascript:alert(1)', '/app'],
  ['http://[', '/app'],
  ['/..//evil.example', '//evil.example'],
])('a redirect to %s goes to %s', (location, expected) => {
  const own = ownLocation(location, publicUrl);
  // A path of two slashes would be another host for a browser.
  expect(own).toBe(expected.startsWith('//') ? '/app' : expected);
});

describe('the routes of signing in', () => {
  let t: TestApi;
  beforeAll(async () => {
    t = await startTestApi();
  });
  afterAll(() => t.close());

  const foreign = [
    '/..//evil.example/login',
    '/app/../..//evil.example',
    '//evil.example',
    'https://evil.example',
    '/docs',
  ];

  test.each(foreign)('the link of a mail with the callback %s leads nowhere', async (callback) => {
    const query = new URLSearchParams({ token: 'x', callbackURL: callback });
    const answer = await fetch(`${t.url}/app/api/auth/verify-email?${query}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([422, null]);
  });

  test.each(foreign)('no mail can be made to carry the callback %s', async (callback) => {
    const answer = await fetch(`${t.url}/app/api/auth/send-verification-email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: t.url, 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ email: newEmail(), callbackURL: callback }),
    });
    expect(answer.status).toBe(422);
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'email=a%40b.example&callbackURL=%2F..%2F%2Fevil', 415],
    ['JSON with a byte order mark', 'application/json', '\ufeff{"email":"a@b.example","callbackURL":"/..//evil"}', 400],
  ])('%s does not pass the check', async (_, type, body, status) => {
    const headers = { 'Content-Type': type, Origin: t.url, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await fetch(`${t.url}/app/api/auth/sign-in/email`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  });

  test('the link that better-auth mails at a sign-in leads to us', async () => {
    const answer = await fetch(`${t.url}/app/api/auth/verify-email?token=x&callbackURL=%2F`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, expect.stringMatching(/^\/\?error=/)]);
  });

  test('the callback of our own mails leads to our page', async () => {
    const query = new URLSearchParams({ token: 'x', callbackURL: '/app' });
    const answer = await fetch(`${t.url}/app/api/auth/verify-email?${query}`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('Location')).toMatch(/^\/app\?error=/);
  });
});
