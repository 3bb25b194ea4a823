/** Tests of the scopes, the allow-list and the rate limit of a key. */
import { scopes } from '@kurir/contracts';
import { createSealer, rotateApiKeySecret } from '@kurir/database';
import { makeApiSecret } from '@kurir/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { call, type Sent } from '../../test/signed-request.js';
import { masterKey, startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

let direct: TestApi;
let behindProxy: TestApi;
let limited: TestApi;

beforeAll(async () => {
  direct = await startTestApi();
  behindProxy = await startApiOn({ ...direct.settings, KURIR_TRUST_PROXY: 1 });
  limited = await startApiOn({ ...direct.settings, KURIR_RATE_LIMIT_PER_MINUTE: 3 });
});
afterAll(async () => {
  await Promise.all([behindProxy.close(), limited.close()]);
  await direct.close();
});

async function customerFrom(allowedIps: readonly string[]): Promise<Customer> {
  const customer = await createCustomer(direct.database);
  return { ...customer, key: await createKey(direct.database, customer.accountId, { allowedIps }) };
}

const codeFrom = async (api: TestApi, customer: Customer, forwarded: string) => {
  const answer = await call(api.url, customer, 'accountInfo', { headers: { 'X-Forwarded-For': forwarded } });
  return answer.body.code ?? 'served';
};

test('an address that the caller claims does not count', async () => {
  const customer = await customerFrom(['203.0.113.7']);
  expect(await codeFrom(direct, customer, '203.0.113.7')).toBe('KEY_NOT_ALLOWED');
  expect(await codeFrom(direct, await customerFrom(['127.0.0.1']), '203.0.113.7')).toBe('served');
});

test('behind a proxy, the address that the proxy saw counts, not the one that it was sent', async () => {
  const customer = await customerFrom(['203.0.113.0/24']);
  expect(await codeFrom(behindProxy, customer, '203.0.113.7')).toBe('served');
  expect(await codeFrom(behindProxy, customer, '198.51.100.1, 203.0.113.7')).toBe('served');
  expect(await codeFrom(behindProxy, customer, '203.0.113.7, 198.51.100.1')).toBe('KEY_NOT_ALLOWED');
  expect(await codeFrom(behindProxy, customer, 'nonsense')).toBe('KEY_NOT_ALLOWED');
});

test('a key with all scopes except the needed one is refused', async () => {
  const customer = await createCustomer(direct.database);
  const others = scopes.filter((scope) => scope !== 'account:read');
  const key = await createKey(direct.database, customer.accountId, { scopes: others });
  expect((await call(direct.url, { ...customer, key }, 'accountInfo')).body.code).toBe('KEY_NOT_ALLOWED');
  expect((await call(direct.url, { ...customer, key }, 'deviceInfo')).status).toBe(200);
});

test('a new secret works at once on every process, and the old one still works', async () => {
  const customer = await createCustomer(direct.database);
  const apis = [direct, behindProxy];
  const statuses = async (asked: Customer) => {
    const answers = await Promise.all(apis.map(({ url }) => call(url, asked, 'accountInfo')));
    return answers.map(({ status }) => status);
  };
  expect(await statuses(customer)).toEqual([200, 200]);

  const rotated = { ...customer, key: { id: customer.key.id, secret: makeApiSecret('test') } };
  const owner = { id: customer.key.id, accountId: customer.accountId };
  expect(await rotateApiKeySecret(direct.database, createSealer(masterKey), owner, rotated.key.secret, 3600)).toBe(
    'done',
  );
  expect(await statuses(rotated)).toEqual([200, 200]);
  expect(await statuses(customer)).toEqual([200, 200]);
});

/**
 * Returns one answer of each api to one key, if all of them were counted. It tries again until then, because the api
 * does not count requests while Redis is slow.
 */
async function countedAnswers(apis: readonly { readonly url: string }[]) {
  const ask = async () => {
    const customer = await createCustomer(direct.database);
    const answers: Sent[] = [];
    for (const { url } of apis) answers.push(await call(url, customer, 'accountInfo'));
    return { customer, answers };
  };
  let asked = await ask();
  await expect
    .poll(
      async () => {
        if (!asked.answers.every(({ headers }) => headers.has('RateLimit'))) asked = await ask();
        return asked.answers.every(({ headers }) => headers.has('RateLimit'));
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return asked;
}

test('requests count per key over all processes, and a refusal says when to try again', async () => {
  const second = await startApiOn(limited.settings);
  try {
    const { customer, answers } = await countedAnswers([limited, second, limited, second]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => answer.headers.get('RateLimit')?.split(';')[1])).toEqual([
      'r=2',
      'r=1',
      'r=0',
      'r=0',
    ]);
    const refused = answers[3];
    expect(refused?.headers.get('RateLimit-Policy')).toBe('"requests";q=3;w=60');
    expect(refused?.headers.get('RateLimit')).toMatch(/^"requests";r=0;t=\d+$/);
    const seconds = Number(refused?.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    // Each key has its own count. A wrong signature counts for no key.
    const limitOfAnother = async () => {
      const key = await createKey(direct.database, customer.accountId);
      const forged = { ...customer, key: { id: key.id, secret: 'wrong' } };
      for (let i = 0; i < 5; i++) expect((await call(limited.url, forged, 'accountInfo')).status).toBe(401);
      return (await call(limited.url, { ...customer, key }, 'accountInfo')).headers.get('RateLimit');
    };
    await expect.poll(limitOfAnother, { timeout: 60_000 }).toContain('r=2');
  } finally {
    await second.close();
  }
});
