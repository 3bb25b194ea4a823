/** Guesses of a password are limited for each person, and cannot keep the right person out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey, Passkey, signInWithPasskey } from '../../test/passkey.js';
import { Browser, password, signUp } from '../../test/person.js';
import { endDelays, signUpWithTwoFactor } from '../../test/second-factor.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

let networks = 0;
/** A network in which nobody has been yet. */
const newNetwork = () => `203.${Math.floor((networks += 1) / 250)}.${networks % 250}`;
const from = (network: string, host = 1) => ({ 'X-Forwarded-For': `${network}.${host}` });

const tryPassword = (email: string, secret: string, headers: Record<string, string>, browser = new Browser(t.url)) =>
  browser.auth('/sign-in/email', { email, password: secret }, headers);

async function guess(email: string, times: number, network: () => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++)
    statuses.push((await tryPassword(email, `wrong ${i} wrong`, from(network(), i + 1))).status);
  return statuses;
}

describe('from one network', () => {
  test('after five wrong ones the right one has to wait, from each address of the network', async () => {
    const { email } = await signUp(t.url);
    const network = newNetwork();
    expect(await guess(email, 7, () => network)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const answer = await tryPassword(email, password, from(network, 99));
    expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY_GUESSES' } });
    expect((await tryPassword(email, password, from(newNetwork()))).status).toBe(200);
  });

  test('the networks of IPv6 are its /64', async () => {
    const { email } = await signUp(t.url);
    const address = (host: string) => ({ 'X-Forwarded-For': `2001:db8:7:7:${host}` });
    for (let i = 1; i < 6; i++) await tryPassword(email, `wrong ${i} wrong`, address(`${i}::1`));
    expect((await tryPassword(email, password, address('9::9'))).status).toBe(429);
    expect((await tryPassword(email, password, { 'X-Forwarded-For': '2001:db8:7:8::1' })).status).toBe(200);
  });

  test('the delay grows from one minute to fifteen', async () => {
    const { email } = await signUp(t.url);
    const network = newNetwork();
    await guess(email, 5, () => network);
    const minutes: number[] = [];
    for (let i = 0; i < 6; i++) {
      const guess = { email, password: 'wrong wrong wrong' };
      const refused = await new Browser(t.url).fetch(
        'POST',
        '/app/api/auth/sign-in/email',
        guess,
        from(network, 50 + i),
      );
      minutes.push(Math.ceil(Number(refused.headers.get('Retry-After')) / 60));
      await endDelays(t);
      expect((await tryPassword(email, 'wrong wrong wrong', from(network, 70 + i))).status).toBe(401);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 15, 15]);
  });

  test('parallel ones do not pass the limit', async () => {
    const { email } = await signUp(t.url);
    const network = newNetwork();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => tryPassword(email, `wrong ${i} wrong`, from(network, i + 1))),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test('a right one clears the count', async () => {
    const { email } = await signUp(t.url);
    const network = newNetwork();
    await guess(email, 4, () => network);
    expect((await tryPassword(email, password, from(network, 90))).status).toBe(200);
    expect(await guess(email, 5, () => network)).toEqual([401, 401, 401, 401, 401]);
    expect((await tryPassword(email, password, from(network, 91))).status).toBe(429);
  });
});

describe('from many networks', () => {
  test('twenty wrong ones are the last', async () => {
    const { email } = await signUp(t.url);
    const statuses = await guess(email, 24, newNetwork);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
  });

  test('they do not stop a browser in which the person has signed in before', async () => {
    const { email, browser } = await signUp(t.url);
    await browser.auth('/sign-out', {});
    await guess(email, 24, newNetwork);
    expect((await tryPassword(email, password, from(newNetwork()))).status).toBe(429);
    expect((await tryPassword(email, password, {}, browser)).status).toBe(200);
  });

  test('they do not stop a passkey', async () => {
    const { email, browser } = await signUp(t.url);
    const passkey = new Passkey(t.url);
    await addPasskey(browser, passkey);
    await guess(email, 24, newNetwork);
    expect((await signInWithPasskey(new Browser(t.url), passkey)).status).toBe(200);
  });
});

describe('a known browser', () => {
  test('may guess no more often itself', async () => {
    const { email, browser } = await signUp(t.url);
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++)
      statuses.push((await tryPassword(email, `wrong ${i} wrong`, from(newNetwork()), browser)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('is known only for the person who signed in there', async () => {
    const victim = await signUp(t.url);
    const attacker = await signUp(t.url);
    await guess(victim.email, 24, newNetwork);
    expect((await tryPassword(victim.email, password, from(newNetwork()), attacker.browser)).status).toBe(429);
  });

  test('is not known by a token without our signature, nor by the token of the table', async () => {
    const { email, userId } = await signUp(t.url);
    await guess(email, 24, newNetwork);
    const { rows } = await t.database.pool.query<{ token_hash: string }>(
      'SELECT token_hash FROM known_browsers WHERE user_id = $1',
      [userId],
    );
    const cookie = `kurir.known_browser=${rows[0]?.token_hash.slice(0, 22)}.${'A'.repeat(43)}%3D`;
    const answer = await tryPassword(email, password, { ...from(newNetwork()), Cookie: cookie });
    expect(answer.status).toBe(429);
  });

  test('is not made by a password alone if a code must follow', async () => {
    const { email, userId } = await signUpWithTwoFactor(t);
    await t.database.pool.query('DELETE FROM known_browsers WHERE user_id = $1', [userId]);
    const browser = new Browser(t.url);
    await tryPassword(email, password, from(newNetwork()), browser);
    expect(browser.cookie).not.toContain('known_browser');
  });

  test('stays known to two people who share it', async () => {
    const one = await signUp(t.url);
    const two = await signUp(t.url);
    await tryPassword(two.email, password, {}, one.browser);
    await guess(one.email, 24, newNetwork);
    expect((await tryPassword(one.email, password, {}, one.browser)).status).toBe(200);
    expect((await tryPassword(two.email, password, {}, one.browser)).status).toBe(200);
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM known_browsers WHERE user_id = ANY($1)', [
      [one.userId, two.userId],
    ]);
    // Each has the browser of the sign-up, and the second person this one too.
    expect(rowCount).toBe(3);
  });

  test('has a cookie that no script reads', async () => {
    const { browser, email } = await signUp(t.url);
    await tryPassword(email, password, {}, browser);
    const line = browser.lastCookies.find((cookie) => cookie.startsWith('kurir.known_browser='));
    expect(line).toMatch(/; HttpOnly(;|$)/);
    expect(line).toMatch(/; SameSite=Lax(;|$)/);
  });
});

test('guesses in a stolen session and at a sign-in count together', async () => {
  const { email, browser } = await signUp(t.url);
  const network = newNetwork();
  const stolen = new Browser(t.url);
  await guess(email, 3, () => network);
  const session = browser.cookie.split('; ').find((pair) => pair.includes('session_token')) ?? '';
  const headers = { ...from(network), Cookie: session };
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await stolen.auth('/two-factor/enable', { password: `wrong ${i} wrong` }, headers)).status);
  expect(statuses).toEqual([400, 400, 429, 429]);
  // The owner’s own browser goes on.
  expect((await browser.auth('/two-factor/enable', { password })).status).toBe(200);
});
