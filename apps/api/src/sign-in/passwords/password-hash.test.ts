/** Tests that a flood of sign-ins is refused early, and that the api works on meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, newEmail, password, signUp } from '../../../test/person.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';
import { hashPassword, verifyPassword } from './password-hash.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

/** The api of this test runs in this process, so these calls wait in the same queue. */
const flood = (count: number) => Array.from({ length: count }, () => hashPassword(password));

/** Keeps all places taken until the returned function is called. */
function keepFull(): () => Promise<void> {
  const over = new AbortController();
  const callers = Array.from({ length: 52 }, async () => {
    while (!over.signal.aborted) await hashPassword(password);
  });
  return async () => {
    over.abort();
    await Promise.all(callers);
  };
}

test('only so many hashes wait; all further ones are refused at once, and the waiting ones end', async () => {
  const results = await Promise.allSettled(flood(80));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(80 - 52);
  for (const { reason } of refused) expect(reason).toMatchObject({ statusCode: 503 });
  expect(results.slice(0, 52).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await verifyPassword({ hash: await hashPassword(password), password })).toBe(true);
});

test('a sign-in during a flood gets 503 with Retry-After and our envelope, known or not; later it succeeds', async () => {
  const { email } = await signUp(t.url);
  const endFlood = keepFull();
  const answers = await Promise.all(
    [email, newEmail()].map((one) =>
      new Browser(t.url).fetch('POST', '/app/api/auth/sign-in/email', { email: one, password }),
    ),
  );
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await answer.json()).toEqual({
      success: false,
      code: 'SERVICE_UNAVAILABLE',
      error: expect.stringContaining('Try again'),
    });
  }
  await endFlood();
  expect((await new Browser(t.url).auth('/sign-in/email', { email, password })).status).toBe(200);
});
