/** A reset of the password closes what a stranger may have opened, and always gets the right person in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey, Passkey, signInWithPasskey } from '../../test/passkey.js';
import { Browser, newEmail, password, signUp } from '../../test/person.js';
import { mailTo, signUpWithTwoFactor } from '../../test/second-factor.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const newPassword = 'another horse entirely';

async function tokenMailedTo(email: string): Promise<string> {
  await new Browser(t.url).auth('/request-password-reset', { email });
  const read = async () => /token=(\S+)/.exec((await mailTo(t, email, 'token=')) ?? '')?.[1] ?? '';
  await expect.poll(read).not.toBe('');
  return read();
}

async function reset(email: string, query = ''): Promise<void> {
  const token = await tokenMailedTo(email);
  const answer = await new Browser(t.url).auth(`/reset-password${query}`, { token, newPassword });
  expect(answer.status).toBe(200);
}

const signIn = (email: string, browser = new Browser(t.url)) =>
  browser.auth('/sign-in/email', { email, password: newPassword });

test('the link in a mail replaces a password, ends all sessions and works once', async () => {
  const { browser, email } = await signUp(t.url);
  const token = await tokenMailedTo(email);
  expect((await new Browser(t.url).auth('/reset-password', { token, newPassword })).status).toBe(200);
  expect((await browser.call('readMe')).body.code).toBe('SESSION_REQUIRED');
  expect((await new Browser(t.url).auth('/reset-password', { token, newPassword })).status).toBe(400);
  expect((await signIn(email)).status).toBe(200);
});

test('an unknown address gets the same answer and no mail', async () => {
  const { email } = await signUp(t.url);
  const stranger = newEmail();
  const known = await new Browser(t.url).auth('/request-password-reset', { email });
  expect(await new Browser(t.url).auth('/request-password-reset', { email: stranger })).toEqual(known);
  await expect.poll(() => mailTo(t, email, 'token=')).not.toBeNull();
  expect(await mailTo(t, stranger, '')).toBeNull();
});

test('the mail appears on the development mailbox page', async () => {
  const { email } = await signUp(t.url);
  await new Browser(t.url).auth('/request-password-reset', { email });
  await expect.poll(async () => (await fetch(`${t.url}/app/mailbox`)).text()).toContain(email);
});

test('a password that is easy to guess is refused, and the link still works', async () => {
  const { email } = await signUp(t.url);
  const token = await tokenMailedTo(email);
  const weak = await new Browser(t.url).auth('/reset-password', { token, newPassword: email });
  expect(weak).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_COMMON' } });
  expect((await new Browser(t.url).auth('/reset-password', { token, newPassword })).status).toBe(200);
});

test('it is in the audit log', async () => {
  const { browser, email } = await signUp(t.url);
  await addPasskey(browser, new Passkey(t.url));
  await reset(email);
  await signIn(email, browser);
  const { entries } = (await browser.call('listAudit')).body.data as { entries: { action: string }[] };
  // Rows of one commit may come in either order.
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'account.created',
    'passkey.added',
    'passkey.removed',
    'password.reset',
    'session.began',
  ]);
});

describe('passkeys', () => {
  test('are removed, and the mail says so', async () => {
    const { browser, email } = await signUp(t.url);
    const passkey = new Passkey(t.url);
    await addPasskey(browser, passkey);
    expect((await signInWithPasskey(new Browser(t.url), passkey)).status).toBe(200);
    await reset(email);
    expect((await signInWithPasskey(new Browser(t.url), passkey)).status).toBe(401);
    await expect.poll(() => mailTo(t, email, 'All passkeys were removed')).not.toBeNull();
  });

  test('stay if the person keeps them', async () => {
    const { browser, email } = await signUp(t.url);
    const passkey = new Passkey(t.url);
    await addPasskey(browser, passkey);
    await reset(email, '?keepPasskeys=true');
    expect((await signInWithPasskey(new Browser(t.url), passkey)).status).toBe(200);
    await expect.poll(() => mailTo(t, email, 'Your passkeys still work')).not.toBeNull();
  });
});

test('the second factor is still asked for', async () => {
  const { email } = await signUpWithTwoFactor(t);
  await reset(email);
  expect((await signIn(email)).body).toMatchObject({ twoFactorRedirect: true });
});

test('a browser that a stranger used is no longer known', async () => {
  const { browser, email, userId } = await signUp(t.url);
  await reset(email);
  const { rowCount } = await t.database.pool.query('SELECT 1 FROM known_browsers WHERE user_id = $1', [userId]);
  expect(rowCount).toBe(0);
  for (let i = 0; i < 5; i++) await browser.auth('/sign-in/email', { email, password });
  // It counts for its network again, and no longer for itself.
  expect((await signIn(email, browser)).status).toBe(429);
  expect((await signIn(email)).status).toBe(200);
});

test('wrong passwords from before do not count any more, from any network', async () => {
  const { email } = await signUp(t.url);
  const browser = new Browser(t.url);
  for (let i = 0; i < 25; i++) {
    const address = { 'X-Forwarded-For': `203.0.${i % 5}.9` };
    await browser.auth('/sign-in/email', { email, password: `wrong ${i} wrong` }, address);
  }
  expect((await new Browser(t.url).auth('/sign-in/email', { email, password })).status).toBe(429);
  await reset(email);
  expect((await signIn(email)).status).toBe(200);
});
