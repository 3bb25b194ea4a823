/** Tests of sign-in and confirmation with a second factor. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, newEmail, password } from '../../test/person.js';
import { endConfirmations, signUpWithTwoFactor, totp } from '../../test/second-factor.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

describe('two-factor sign-in', () => {
  const withTwoFactor = () => signUpWithTwoFactor(t);

  test('asks for a code after the password, and only then gives a session', async () => {
    const { email, newCode } = await withTwoFactor();
    const browser = new Browser(t.url);
    expect((await browser.auth('/sign-in/email', { email, password })).body).toMatchObject({ twoFactorRedirect: true });
    expect((await browser.call('readMe')).body.code).toBe('SESSION_REQUIRED');
    expect((await browser.auth('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    expect((await browser.auth('/two-factor/verify-totp', { code: await newCode() })).status).toBe(200);
    expect((await browser.call('readMe')).body.data).toMatchObject({ user: { two_factor: true } });
  });

  test('a new secret is shown only if the session was confirmed recently', async () => {
    const { browser, userId, newCode } = await withTwoFactor();
    const key = { name: 'Toko' };
    expect((await browser.call('createKey', { body: key })).status).toBe(200);
    await endConfirmations(t, userId);
    expect((await browser.call('createKey', { body: key })).body.code).toBe('CONFIRMATION_REQUIRED');
    expect((await browser.call('confirmSession', { body: { code: '000000' } })).body.code).toBe('CODE_NOT_ACCEPTED');
    expect((await browser.call('confirmSession', { body: { code: await newCode() } })).status).toBe(200);
    expect((await browser.call('createKey', { body: key })).status).toBe(200);
  });

  test('inviting an owner and changing a role need a code', async () => {
    const { browser, userId } = await withTwoFactor();
    await t.database.pool.query('UPDATE sessions SET confirmed_at = NULL WHERE user_id = $1', [userId]);
    const body = { email: newEmail(), role: 'owner' };
    expect((await browser.call('inviteMember', { body })).body.code).toBe('CONFIRMATION_REQUIRED');
    const role = { params: { user_id: userId }, body: { role: 'owner' } };
    expect((await browser.call('changeRole', role)).body.code).toBe('CONFIRMATION_REQUIRED');
  });

  test('the audit log has different actions for a password before its code and for a session', async () => {
    const { browser, email, newCode } = await withTwoFactor();
    const other = new Browser(t.url);
    await other.auth('/sign-in/email', { email, password });
    await other.auth('/two-factor/verify-totp', { code: await newCode() });
    await browser.call('confirmSession', { body: { code: await newCode() } });
    const { entries } = (await browser.call('listAudit')).body.data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual([
      'session.confirmed',
      'session.began',
      'password.accepted',
      'two_factor.enabled',
      'two_factor.begun',
      'account.created',
    ]);
  });

  test('a backup code confirms once', async () => {
    const { browser, backupCodes } = await withTwoFactor();
    const body = { code: backupCodes[0] };
    expect((await browser.call('confirmSession', { body })).status).toBe(200);
    expect((await browser.call('confirmSession', { body })).body.code).toBe('CODE_NOT_ACCEPTED');
  });

  test('after ten wrong codes even the right one does not sign in, from every address', async () => {
    const { email, newCode } = await withTwoFactor();
    // Each right password allows five tries.
    for (let round = 0; round < 2; round++) {
      const browser = new Browser(t.url);
      await browser.auth('/sign-in/email', { email, password });
      for (let i = 0; i < 5; i++) await browser.auth('/two-factor/verify-totp', { code: `00000${i}` });
    }
    const browser = new Browser(t.url);
    await browser.auth('/sign-in/email', { email, password });
    const answer = await browser.auth('/two-factor/verify-totp', { code: await newCode() });
    expect(answer).toMatchObject({ status: 429, body: { code: 'ACCOUNT_TEMPORARILY_LOCKED' } });
  });

  test('an open session does not reveal the right code on either path', async () => {
    const { browser, newCode } = await withTwoFactor();
    for (let i = 0; i < 5; i++) await browser.auth('/two-factor/verify-totp', { code: `00000${i}` });
    const right = { code: await newCode() };
    expect((await browser.auth('/two-factor/verify-totp', right)).status).toBe(429);
    expect((await browser.auth('/two-factor/verify-backup-code', right)).status).toBe(429);
    expect((await browser.call('confirmSession', { body: right })).body.code).toBe('RATE_LIMITED');
  });

  test('an open session limits the tries of codes', async () => {
    const { browser } = await withTwoFactor();
    for (let i = 0; i < 5; i++) await browser.call('confirmSession', { body: { code: `00000${i}` } });
    expect((await browser.call('confirmSession', { body: { code: '000009' } })).body.code).toBe('RATE_LIMITED');
  });
});

describe('a code of an authenticator', () => {
  const signInWith = async (email: string, code: string) => {
    const browser = new Browser(t.url);
    await browser.auth('/sign-in/email', { email, password });
    return (await browser.auth('/two-factor/verify-totp', { code })).status;
  };

  test('signs in once', async () => {
    const { email, newCode } = await signUpWithTwoFactor(t);
    const code = await newCode();
    expect([await signInWith(email, code), await signInWith(email, code)]).toEqual([200, 401]);
  });

  test('that turned two-factor sign-in on does not sign in', async () => {
    const { email, firstCode: code } = await signUpWithTwoFactor(t);
    expect(await signInWith(email, code)).toBe(401);
  });

  test('confirms a session once, and then signs nobody in', async () => {
    const { browser, email, newCode } = await signUpWithTwoFactor(t);
    const body = { code: await newCode() };
    expect((await browser.call('confirmSession', { body })).status).toBe(200);
    expect((await browser.call('confirmSession', { body })).body.code).toBe('CODE_NOT_ACCEPTED');
    expect(await signInWith(email, body.code)).toBe(401);
  });

  test('passes exactly one of many parallel sign-ins', async () => {
    const { email, newCode } = await signUpWithTwoFactor(t);
    const browsers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(t.url);
        await browser.auth('/sign-in/email', { email, password });
        return browser;
      }),
    );
    const code = await newCode();
    const answers = await Promise.all(browsers.map((browser) => browser.auth('/two-factor/verify-totp', { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('of an earlier step does not count after a later one', async () => {
    const { email, newCode, uri } = await signUpWithTwoFactor(t);
    await newCode();
    expect(await signInWith(email, totp(uri, Date.now() + 30_000))).toBe(200);
    expect(await signInWith(email, totp(uri, Date.now()))).toBe(401);
  });
});

test('nobody is trusted to skip the second factor', async () => {
  const { email, newCode } = await signUpWithTwoFactor(t);
  const browser = new Browser(t.url);
  await browser.auth('/sign-in/email', { email, password });
  const answer = await browser.auth('/two-factor/verify-totp', { code: await newCode(), trustDevice: true });
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  expect(browser.cookie).not.toContain('trust');
});
