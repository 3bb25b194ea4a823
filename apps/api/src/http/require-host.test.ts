/** Tests that pages and operations of people answer only to the host of the public address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { sendBytes } from '../../test/raw-http.js';
import { newEmail, password } from '../../test/person.js';
import { signedHeaders } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let local: TestApi;
let published: TestApi;
let customer: Customer;
beforeAll(async () => {
  [local, published] = await Promise.all([
    startTestApi({ KURIR_TRUST_PROXY: 1 }),
    startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_PUBLIC_URL: 'https://Gateway.example.com/' }),
  ]);
  customer = await createCustomer(published.database);
});
afterAll(async () => {
  await Promise.all([local.close(), published.close()]);
});

async function ask(t: TestApi, target: string, host: string | null, more = ''): Promise<number> {
  const [method, path] = target.includes(' ') ? target.split(' ') : ['GET', target];
  const line = host === null ? '' : `Host: ${host}\r\n`;
  const version = host === null ? '1.0' : '1.1';
  const { status, body } = await sendBytes(
    t.url,
    `${method} ${path} HTTP/${version}\r\nConnection: close\r\n${line}${more}\r\n`,
  );
  if (status === 421) expect(body).toMatch(/KURIR_PUBLIC_URL/);
  return status;
}

/** A page of this name, whose address became that of this machine, calls itself the same origin. */
const rebound = 'Origin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\n';
const paths = [
  '/app',
  '/app/mailbox',
  '/app/sign-in',
  '/app/api/setup',
  '/app/api/me',
  'OPTIONS /app/api/me',
  '/app/api/auth/get-session',
  '/app/api/nothing',
  '/pay/some-token-of-nobody',
];

describe('a development run', () => {
  test.each(paths)('refuses a name that was bound to this machine: %s', async (path) => {
    const { port } = new URL(local.url);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '192.168.1.5', '0.0.0.0'])
      expect([host, await ask(local, path, host, rebound)]).toEqual([host, 421]);
    expect(await ask(local, path, 'evil.example', 'X-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n')).toBe(
      421,
    );
  });

  test.each(paths)('answers to each name of loopback: %s', async (path) => {
    const { port } = new URL(local.url);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST.'])
      expect([host, await ask(local, path, `${host}:${port}`)]).not.toEqual([host, 421]);
  });

  test('sends no mail to reset a password, and shows none, to a name that was bound to this machine', async () => {
    const body = JSON.stringify({ email: newEmail() });
    const headers = `${rebound}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const reset = (host: string) =>
      ask(local, 'POST /app/api/auth/request-password-reset', host, `${headers}\r\n${body}`);
    expect(await reset('evil.example')).toBe(421);
    const { host } = new URL(local.url);
    const own = headers.replace('http://evil.example', local.url);
    expect(await ask(local, 'POST /app/api/auth/request-password-reset', host, `${own}\r\n${body}`)).toBe(200);
  });

  test.each(['127.0.0.1/app', 'x@127.0.0.1', '127.0.0.1#', '', 'a b', '[::1'])(
    'takes no rubbish as a host: %j',
    async (host) => {
      expect(await ask(local, '/app', host)).toBe(421);
    },
  );

  test('refuses a page to a request without Host', async () => {
    expect(await ask(local, '/app', null)).toBe(421);
  });
});

describe('a published gateway', () => {
  test.each(['gateway.example.com', 'GATEWAY.example.com:443', 'gateway.example.com.'])(
    'answers as %s',
    async (host) => {
      expect(await ask(published, '/app', host)).toBe(200);
      expect(await ask(published, '/app/api/me', host)).toBe(401);
    },
  );

  test.each(['localhost', '127.0.0.1', 'gateway.example.com:8443', 'gateway.example.com.evil.example', 'example.com'])(
    'does not answer as %s',
    async (host) => {
      for (const path of paths)
        expect(await ask(published, path, host, 'X-Forwarded-Host: gateway.example.com\r\n')).toBe(421);
    },
  );

  test('is reached by keys and health checks under any name, but not by a session', async () => {
    for (const host of ['api:3000', '10.0.0.7', 'evil.example']) {
      expect(await ask(published, '/health/live', host)).toBe(200);
      expect(await ask(published, '/health/ready', host)).toBe(200);
      const signed = signedHeaders({ method: 'GET', target: '/api/v1/devices', key: customer.key });
      const lines = Object.entries(signed)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      expect(await ask(published, '/api/v1/devices', host, lines)).toBe(200);
      expect(await ask(published, '/api/v1/devices', host, 'Cookie: __Host-kurir.session_token=x\r\n')).toBe(421);
    }
  });

  test('is not opened by the right Origin alone', async () => {
    const body = JSON.stringify({ email: newEmail(), password, name: 'Budi' });
    const headers = `Origin: https://gateway.example.com\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const signUp = (host: string) => ask(published, 'POST /app/api/auth/sign-up/email', host, `${headers}\r\n${body}`);
    expect(await signUp(new URL(published.url).host)).toBe(421);
    expect(await signUp('gateway.example.com')).toBe(200);
  });
});
