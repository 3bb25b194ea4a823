/** Changes of how a person signs in need a confirmation of the last minutes, whatever the session has seen before. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey, Passkey, usePasskey } from '../../test/passkey.js';
import { Browser, password, type Person, signUp } from '../../test/person.js';
import { endConfirmations, signUpWithTwoFactor, totp } from '../../test/second-factor.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const newPassword = 'another horse entirely';
const change = { currentPassword: password, newPassword };
const refusal = { status: 403, body: { success: false, code: 'CONFIRMATION_REQUIRED' } };

const passkeyRoutes: readonly (readonly [string, object | undefined])[] = [
  ['/passkey/generate-register-options', undefined],
  ['/passkey/verify-registration', { response: new Passkey('http://127.0.0.1').register({ challenge: 'x' }) }],
  ['/passkey/delete-passkey', { id: 'idn_none' }],
];
const passwordRoutes: readonly (readonly [string, object])[] = [
  ['/change-password', change],
  ['/two-factor/disable', { password }],
  ['/two-factor/get-totp-uri', { password }],
  ['/two-factor/generate-backup-codes', { password }],
];

describe('with two-factor sign-in', () => {
  test.each([...passkeyRoutes, ...passwordRoutes])('%s is refused without a fresh code', async (path, body) => {
    const { browser, userId } = await signUpWithTwoFactor(t);
    await endConfirmations(t, userId);
    expect(await browser.auth(path, body)).toMatchObject(refusal);
  });

  test('a code confirms, and then the same request passes', async () => {
    const { browser, userId, newCode } = await signUpWithTwoFactor(t);
    await endConfirmations(t, userId);
    expect((await browser.auth('/two-factor/disable', { password })).status).toBe(403);
    expect((await browser.call('confirmSession', { body: { code: await newCode() } })).status).toBe(200);
    expect((await browser.auth('/two-factor/disable', { password })).status).toBe(200);
  });

  test('a passkey confirms the same session and leaves no other', async () => {
    const { browser, userId } = await signUpWithTwoFactor(t);
    const passkey = new Passkey(t.url);
    expect((await addPasskey(browser, passkey)).status).toBe(200);
    await endConfirmations(t, userId);
    const given = { passkey: await usePasskey(browser, passkey) };
    expect((await browser.call('confirmSession', { body: given })).status).toBe(200);
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId]);
    expect(rowCount).toBe(1);
    expect((await browser.auth('/two-factor/get-totp-uri', { password })).status).toBe(200);
    expect((await browser.call('confirmSession', { body: given })).body.code).toBe('PASSKEY_NOT_ACCEPTED');
  });

  test.each([
    ['of somebody else', {}],
    ['without a fingerprint', { isVerified: false }],
    ['for another site', { origin: 'https://evil.example' }],
  ])('a passkey %s does not confirm', async (what, signing) => {
    const { browser, userId } = await signUpWithTwoFactor(t);
    const owner = what === 'of somebody else' ? (await signUp(t.url)).browser : browser;
    const passkey = new Passkey(t.url);
    expect((await addPasskey(owner, passkey)).status).toBe(200);
    await endConfirmations(t, userId);
    const body = { passkey: await usePasskey(browser, passkey, signing) };
    expect((await browser.call('confirmSession', { body })).body.code).toBe('PASSKEY_NOT_ACCEPTED');
    expect(await browser.auth('/two-factor/disable', { password })).toMatchObject(refusal);
  });

  test('the password does not confirm', async () => {
    const { browser, userId } = await signUpWithTwoFactor(t);
    await endConfirmations(t, userId);
    expect((await browser.call('confirmSession', { body: { password } })).body.code).toBe('PASSWORD_NOT_ACCEPTED');
    expect(await browser.auth('/two-factor/disable', { password })).toMatchObject(refusal);
  });

  test('turning it on ends the confirmations of other sessions', async () => {
    const { browser, email } = await signUp(t.url);
    const other = new Browser(t.url);
    await other.auth('/sign-in/email', { email, password });
    const uri = String((await browser.auth('/two-factor/enable', { password })).body?.['totpURI']);
    expect((await browser.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) })).status).toBe(200);
    expect(await other.auth('/two-factor/disable', { password })).toMatchObject(refusal);
  });
});

describe('without two-factor sign-in', () => {
  const lapsed = async (): Promise<Person> => {
    const person = await signUp(t.url);
    await endConfirmations(t, person.userId);
    return person;
  };

  test.each(passkeyRoutes)('%s is refused, also in a young session', async (path, body) => {
    const { browser } = await lapsed();
    expect(await browser.auth(path, body)).toMatchObject(refusal);
  });

  test('the password confirms, and then a passkey can be added', async () => {
    const { browser } = await lapsed();
    expect((await addPasskey(browser, new Passkey(t.url))).status).toBe(403);
    expect((await browser.call('confirmSession', { body: { password: 'wrong wrong wrong' } })).body.code).toBe(
      'PASSWORD_NOT_ACCEPTED',
    );
    expect((await browser.call('confirmSession', { body: { password } })).status).toBe(200);
    expect((await addPasskey(browser, new Passkey(t.url))).status).toBe(200);
  });

  test('a new password needs only the present one, which is in the same request', async () => {
    const { browser } = await lapsed();
    expect((await browser.auth('/change-password', change)).status).toBe(200);
  });

  test('wrong passwords are limited as everywhere', async () => {
    const { browser } = await lapsed();
    for (let i = 0; i < 5; i++) await browser.call('confirmSession', { body: { password: `wrong ${i} wrong` } });
    expect((await browser.call('confirmSession', { body: { password } })).body.code).toBe('RATE_LIMITED');
  });

  test.each([{}, { code: '123456', password }, { secret: 'x' }])('%j confirms nothing', async (body) => {
    const { browser } = await lapsed();
    expect((await browser.call('confirmSession', { body })).body.code).toBe('INVALID_REQUEST');
  });
});

test('no route changes the address of a person', async () => {
  const { browser } = await signUp(t.url);
  expect((await browser.auth('/change-email', { newEmail: 'evil@example.com' })).status).toBeGreaterThanOrEqual(400);
});

describe('a passkey for another site', () => {
  test.each(['https://evil.example', 'http://localhost.evil.example'])(
    '%s is refused, and is no failure',
    async (origin) => {
      const { browser } = await signUp(t.url);
      const before = t.logs.filter(({ level }) => level === 'error').length;
      const answer = await addPasskey(browser, new Passkey(t.url), { origin });
      expect(answer).toMatchObject({ status: 400, body: { code: 'PASSKEY_WRONG_ORIGIN' } });
      expect(t.logs.filter(({ level }) => level === 'error')).toHaveLength(before);
    },
  );

  test('rubbish instead of what a browser sends is refused', async () => {
    const { browser } = await signUp(t.url);
    const response = { id: 'x', response: { clientDataJSON: 'x' } };
    for (const path of ['/passkey/verify-registration', '/passkey/verify-authentication'])
      expect((await browser.auth(path, { response })).status).toBe(400);
  });
});
