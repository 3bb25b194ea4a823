import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RateLimitState, RateTally } from '@kurir/queue';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddresses } from '../http/addresses.js';
import { isAllowedIp, isAllowListEntry } from '../signatures/ip-allow-list.js';
import { createRateCounterWithTimeout, limitKeyRate, limitPersonRate, weightOf } from '../http/limit-rate.js';
import { parseJson } from '../http/body/parse-json.js';
import { isCrossSite } from '../http/cross-site.js';
import { markup } from '../pages/html-page.js';
import { asSent, queryOf } from '../http/request-target.js';
import { createUsedSecrets, type UsedSecret } from '../signatures/used-secrets.js';

describe('the allow-list', () => {
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['203.0.113.7', ['203.0.113.7'], true],
    ['::ffff:203.0.113.7', ['203.0.113.7'], true],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db8::1', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['2001:db8::/32'], false],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['11.1.2.3', ['::ffff:10.0.0.0/104'], false],
    ['::ffff:10.1.2.3', ['::ffff:a00:0/104'], true],
    ['10.1.2.3', ['::ffff:0:0/96'], true],
    ['2001:db8::1', ['::ffff:0:0/96'], false],
    ['10.1.2.3', ['::ffff:10.1.2.3/128'], true],
    ['10.1.2.3', ['::/0'], false],
    ['10.1.2.3', ['rubbish', '10.1.2.0/24'], true],
    ['10.1.2.3', ['rubbish'], false],
    ['rubbish', ['0.0.0.0/0'], false],
    [undefined, ['0.0.0.0/0'], false],
    [undefined, [], true],
  ])('%s in %j: %s', (ip, allowed, expected) => {
    expect(isAllowedIp(ip, allowed)).toBe(expected);
  });

  test('accepts addresses and ranges as entries, and nothing else', () => {
    for (const good of ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '::ffff:10.0.0.0/104'])
      expect(isAllowListEntry(good)).toBe(true);
    for (const bad of [
      '',
      'x',
      '10.0.0.0/33',
      '::ffff:10.0.0.0/95',
      '::ffff:10.0.0.0/8',
      '300.1.1.1',
      '10.0.0.1-10.0.0.9',
      '010.0.0.1',
      '::ffff:010.0.0.1',
      '010.0.0.0/8',
      '1.2.3',
      '0x7f.1',
      '2130706433',
    ])
      expect(isAllowListEntry(bad)).toBe(false);
  });
});

describe('the rate limit', () => {
  const state: RateLimitState = { allowed: false, limit: 60, remaining: 0, resetSeconds: 12 };

  function response() {
    const headers: Record<string, string> = {};
    // The code under test uses only the headers.
    const res = { setHeader: (name: string, value: string) => (headers[name] = value) } as unknown as ServerResponse;
    return { res, headers };
  }

  const limitsOf = (ofKey: Partial<RateLimitState>, ofAccount: Partial<RateLimitState>) => ({
    rateLimit: { take: () => Promise.resolve({ ...state, allowed: true, ...ofKey }) },
    accountRateLimit: { take: () => Promise.resolve({ ...state, limit: 180, allowed: true, ...ofAccount }) },
  });
  const request = { keyId: 'kk_a', accountId: 'acc_a', bodyBytes: 0 } as const;

  test('shows the remaining requests in every answer, of the key or the account, whichever are fewer', async () => {
    const { res, headers } = response();
    await limitKeyRate(limitsOf({ remaining: 59 }, { remaining: 170 }), request, res);
    expect(headers).toEqual({ 'RateLimit-Policy': '"requests";q=60;w=60', RateLimit: '"requests";r=59;t=12' });
    await limitKeyRate(limitsOf({ remaining: 59 }, { remaining: 3 }), request, res);
    expect(headers).toEqual({ 'RateLimit-Policy': '"requests";q=180;w=60', RateLimit: '"requests";r=3;t=12' });
  });

  test.each([
    ['the key', limitsOf({ allowed: false }, { remaining: 170 }), 'This key may send 60'],
    ['the account', limitsOf({ remaining: 59 }, { allowed: false }), 'This account may send 180'],
  ])('gives the time to wait in a refusal of %s', async (_who, limits, sentence) => {
    const { res } = response();
    await expect(limitKeyRate(limits, request, res)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining(sentence),
      retryAfterSeconds: 12,
    } satisfies Partial<ApiError>);
  });

  test('limits a person alone', async () => {
    const { res } = response();
    const limits = limitsOf({ allowed: false }, { allowed: false });
    await expect(limitPersonRate(limits, 'usr_a', res)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test.each([
    [0, 1],
    [1, 1],
    [32 * 1024, 1],
    [32 * 1024 + 1, 2],
    [8 * 1024 * 1024, 256],
  ])('a body of %i bytes counts as %i requests', (bytes, weight) => expect(weightOf(bytes)).toBe(weight));

  test('lets requests pass if Redis is slow, and does not ask it again for a while', async () => {
    let asked = 0;
    let now = 0;
    const slow = { count: () => new Promise<RateTally>(() => void asked++) };
    const limit = createRateCounterWithTimeout(slow, () => now);
    const since = performance.now();
    for (let i = 0; i < 20; i++) expect(await limit.count('kk_a', 1)).toBeNull();
    expect(asked).toBe(1);
    expect(performance.now() - since).toBeLessThan(5_000);
    now += 60_000;
    await limit.count('kk_a', 1);
    expect(asked).toBe(2);
  });
});

test('used secrets are written in batches, in one order, and a failed batch is dropped', async () => {
  const batches: (readonly UsedSecret[])[] = [];
  const failures: unknown[] = [];
  let fail = false;
  const used = createUsedSecrets({
    everyMs: 3_600_000,
    write: (batch) => {
      batches.push(batch);
      return fail ? Promise.reject(new Error('no database')) : Promise.resolve();
    },
    onError: (error) => failures.push(error),
  });
  for (let i = 0; i < 100; i++) used.note(i % 2 ? 'kk_a' : 'kk_b', 1);
  used.note('kk_a', 2);
  await used.close();
  expect(batches).toEqual([
    [
      { keyId: 'kk_a', version: 1 },
      { keyId: 'kk_a', version: 2 },
      { keyId: 'kk_b', version: 1 },
    ],
  ]);
  await used.close();
  fail = true;
  used.note('kk_a', 1);
  await used.close();
  expect([batches.length, failures.length]).toEqual([2, 1]);
});

describe('the target', () => {
  test('keeps UTF-8 and ASCII as they were sent', () => {
    expect(asSent('/a?b=%C3%A9+%20&b=2&a=1/')).toBe('/a?b=%C3%A9+%20&b=2&a=1/');
    expect(asSent(Buffer.from('/é😀', 'utf8').toString('latin1'))).toBe('/é😀');
    expect(asSent('/\xff')).toBe('/\xff');
  });

  test('returns the last of repeated parameters, and __proto__ as a plain field', () => {
    expect(queryOf('/x')).toEqual({});
    expect(queryOf('/x?')).toEqual({});
    expect(queryOf('/x?a=1&a=2&b=%2B+c')).toEqual({ a: '2', b: '+ c' });
    expect(Object.hasOwn(queryOf('/x?__proto__=1'), '__proto__')).toBe(true);
  });
});

test('JSON is parsed like JSON.parse, and an error does not repeat the text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseJson(Buffer.from(JSON.stringify(value), 'utf8'))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  const secret = 'canary-4711';
  try {
    parseJson(Buffer.from(`{"message": ${secret}}`));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(`${String(error)} ${String((error as Error).cause)}`).not.toContain(secret);
  }
});

test('markup escapes every value except markup', () => {
  const evil = `<script>alert("x")</script>'&`;
  expect(markup`<p>${evil} ${7} ${markup`<b>${'<'}</b>`}</p>`.html).toBe(
    '<p>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp; 7 <b>&lt;</b></p>',
  );
});

test('addresses are known once the server listens', () => {
  const local = createAddresses({ host: '0.0.0.0', publicUrl: undefined });
  expect(() => local.publicUrl()).toThrow();
  local.listensOn(4711);
  expect([local.publicUrl(), local.ownUrl()]).toEqual(['http://127.0.0.1:4711', 'http://127.0.0.1:4711']);
  const behindProxy = createAddresses({ host: '::1', publicUrl: 'https://gateway.example.com/' });
  behindProxy.listensOn(1);
  expect([behindProxy.publicUrl(), behindProxy.ownUrl()]).toEqual(['https://gateway.example.com', 'http://[::1]:1']);
});

test.each([
  [{}, false],
  [{ 'Sec-Fetch-Site': 'same-origin' }, false],
  [{ 'Sec-Fetch-Site': 'none' }, true],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://gateway.example.com' }, true],
  [{ Origin: 'https://gateway.example.com' }, false],
  [{ Origin: 'http://10.0.0.5:3000', Host: '10.0.0.5:3000' }, false],
  [{ Origin: 'https://gateway.example.com.evil.example' }, true],
  [{ Origin: 'null' }, true],
])('a post with %j is from another site: %s', (headers: Record<string, string>, expected) => {
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  // The code under test uses only the headers.
  const req = { headers: lowerCase } as unknown as IncomingMessage;
  expect(isCrossSite(req, 'https://gateway.example.com')).toBe(expected);
});
