/**
 * Strangers and members with a small role attack the pages. The routes of other accounts and roles are swept in
 * tenants.test.ts and walls.test.ts of the api.
 */
import { type Database, openDatabase } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { field, Person } from '../src/customers/person.js';
import { type Stack, startStack } from '../src/stack/stack.js';
import { many, send, statusesIn } from './attacks/connection.js';
import { elsewhere, guessAtOnce, newMember, newPerson } from './attacks/strangers.js';

let stack: Stack;
let database: Database;
beforeAll(async () => {
  // Each person comes from an address of their own, as behind a proxy.
  stack = await startStack({ workers: 0, env: { KURIR_TRUST_PROXY: '1' } });
  database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 2 });
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

it('guesses of a password, in parallel and from many addresses, are soon refused without a look at it', async () => {
  const statuses = await guessAtOnce(await newPerson(stack), stack, 40);
  expect(statuses.filter((status) => status === 200)).toEqual([]);
  // So many free guesses are allowed over all networks.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
  expect(statuses).toContain(429);
});

describe('a redirect', () => {
  const foreign = [
    '/..//evil.example/login',
    '/app/../..//evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%2F/evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ];

  it.each(foreign)('to %j leads to no other site', async (callback) => {
    const query = new URLSearchParams({ token: 'x', callbackURL: callback, errorCallbackURL: callback });
    for (const path of ['verify-email', 'reset-password/x', 'sign-in/social', 'callback/google']) {
      const answer = await new Person(stack.baseUrl).ask(
        'GET',
        `/app/api/auth/${path}?${query}`,
        undefined,
        elsewhere(),
      );
      const location = answer.headers.get('location');
      expect(new URL(location ?? '/', stack.baseUrl).origin, path).toBe(stack.baseUrl);
    }
  });
});

it('a viewer can open no renewal, neither by page nor by a key', async () => {
  const owner = await newPerson(stack);
  const viewer = await newMember(owner, 'viewer', { stack, database });
  expect((await viewer.ask('POST', '/api/v1/account/renew')).status).toBe(403);
  expect((await viewer.ask('POST', '/app/api/keys', { name: 'k', scopes: ['account:renew'] })).status).toBe(403);
});

it('a trial account cannot take many devices', async () => {
  const person = await newPerson(stack);
  const answers = await many(8, (i) => person.ask('POST', '/api/v1/devices', { name: `d${i}`, network: 'simulator' }));
  const made = answers.filter(({ status }) => status === 200);
  expect(made.length).toBeGreaterThan(0);
  expect(made.length).toBeLessThanOrEqual(2);
});

describe('the proxy of a device', () => {
  const inside = [
    'http://127.0.0.1:6379',
    'http://localhost:6379',
    'http://2130706433:80',
    'http://0x7f.1:80',
    'http://[::1]:80',
    'http://[::ffff:10.0.0.1]:80',
    'http://[::ffff:169.254.169.254]:80',
    'http://169.254.169.254',
    'socks5://10.0.0.1:1080',
    'http://0.0.0.0:80',
    'socks5://user:password@192.168.1.1:1080',
    'http://localhost.:80',
  ];

  it('may not name an address inside the network', async () => {
    const person = await newPerson(stack);
    const { body } = await person.ask('POST', '/api/v1/devices', { name: 'shop', network: 'simulator' });
    const headers = { 'X-Device-Id': String(field(body, 'data', 'device_id')) };
    const answers = await many(inside.length, async (i) => {
      const { status } = await person.ask('PATCH', '/api/v1/devices', { proxy: inside[i] }, headers);
      return [inside[i], status] as const;
    });
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(inside.map((url) => [url, 422])));
  });
});

it('a mail that resets a password cannot be asked for under the name of another site', async () => {
  const victim = await newPerson(stack);
  const body = JSON.stringify({ email: victim.email });
  const head = `POST /app/api/auth/request-password-reset HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { text } = await send(stack.baseUrl, { head, waitMs: 3_000, untilAnswer: true });
  expect(statusesIn(text)).toEqual([421]);
});
