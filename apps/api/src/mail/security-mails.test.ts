/** A person gets a mail after each change of how they sign in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSilentServer } from '../../test/mail-server.js';
import { addPasskey, Passkey, signInWithPasskey } from '../../test/passkey.js';
import { Browser, password, type Person, signUp } from '../../test/person.js';
import { mailTo, signUpWithTwoFactor, totp, type TwoFactorPerson } from '../../test/second-factor.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';
import { letterMail } from './letter.js';
import { securityLetter } from './security-mails.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const newPassword = 'another horse entirely';

async function turnOn({ browser }: Person): Promise<void> {
  const uri = String((await browser.auth('/two-factor/enable', { password })).body?.['totpURI']);
  await browser.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) });
}

async function removePasskey({ browser }: Person): Promise<void> {
  const added = await addPasskey(browser, new Passkey(t.url));
  await browser.auth('/passkey/delete-passkey', { id: added.body?.['id'] });
}

const changes: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'Your password was changed.': ({ browser }) =>
    browser.auth('/change-password', { currentPassword: password, newPassword }),
  'Two-factor sign-in was turned on.': turnOn,
  'A passkey was added.': ({ browser }) => addPasskey(browser, new Passkey(t.url)),
  'A passkey was removed.': removePasskey,
  'Somebody signed in from a new browser.': ({ email }) =>
    new Browser(t.url).auth('/sign-in/email', { email, password }),
};

const changesWithTwoFactor: Readonly<Record<string, (person: TwoFactorPerson) => Promise<unknown>>> = {
  'Two-factor sign-in was turned off.': ({ browser }) => browser.auth('/two-factor/disable', { password }),
  'New backup codes were made.': ({ browser }) => browser.auth('/two-factor/generate-backup-codes', { password }),
  'Somebody signed in from a new browser.': async ({ email, newCode }) => {
    const browser = new Browser(t.url);
    await browser.auth('/sign-in/email', { email, password });
    await browser.auth('/two-factor/verify-totp', { code: await newCode() });
  },
};

describe('a mail', () => {
  test.each(Object.entries(changes))('says: %s', async (sentence, change) => {
    const person = await signUp(t.url);
    await change(person);
    await expect.poll(() => mailTo(t, person.email, sentence)).not.toBeNull();
  });

  test.each(Object.entries(changesWithTwoFactor))('says with two-factor sign-in: %s', async (sentence, change) => {
    const person = await signUpWithTwoFactor(t);
    await change(person);
    await expect.poll(() => mailTo(t, person.email, sentence)).not.toBeNull();
  });

  test.each([
    ['en-GB,en;q=0.9', 'Somebody signed in'],
    ['id', 'Ada yang masuk'],
  ])('to a person without a language is in that of the browser %s', async (accepted, words) => {
    const person = await signUp(t.url);
    await t.database.pool.query('UPDATE users SET language = NULL WHERE id = $1', [person.userId]);
    const headers = { 'Accept-Language': accepted };
    await new Browser(t.url).auth('/sign-in/email', { email: person.email, password }, headers);
    await expect.poll(() => mailTo(t, person.email, words)).not.toBeNull();
    await new Browser(t.url).auth('/request-password-reset', { email: person.email }, headers);
    const asked = accepted === 'id' ? 'permintaan kata sandi baru' : 'asked for a new password';
    await expect.poll(() => mailTo(t, person.email, asked)).not.toBeNull();
  });

  test('says when, from which network and what to do, and holds nothing sensitive', async () => {
    const person = await signUp(t.url);
    const headers = { 'X-Forwarded-For': '203.0.113.77:4000' };
    await person.browser.auth('/change-password', { currentPassword: password, newPassword }, headers);
    await expect.poll(() => mailTo(t, person.email, 'was changed')).not.toBeNull();
    const mail = (await mailTo(t, person.email, 'was changed')) ?? '';
    for (const words of ['UTC', '203.0.113.x', 'If it was not you', 'You get this email because'])
      expect(mail).toContain(words);
    expect(mail).toContain(`${t.url}/app/forgot`);
    for (const secret of [password, newPassword, '203.0.113.77', 'token']) expect(mail).not.toContain(secret);
  });

  test('names the hour of Jakarta and of Greenwich', () => {
    const occasion = { at: new Date('2026-11-25T16:34:00Z'), network: '2001:db8:7:7::x' };
    const letter = securityLetter('passkey.added', occasion, 'https://kurir.test/app/forgot');
    const [indonesian, english] = ['id', 'en'].map((language) =>
      letterMail({ email: 'a@b.example', language }, letter),
    );
    expect(indonesian?.subject).toBe('Kurir: Sebuah passkey ditambahkan');
    expect(english?.subject).toBe('Kurir: A passkey was added');
    expect(indonesian?.text).toContain('25 November 2026 pukul 23.34 WIB\n- Alamat IP: 2001:db8:7:7::x');
    expect(english?.text).toContain('25 November 2026 at 16:34 UTC\n- IP address: 2001:db8:7:7::x');
  });
});

describe('no mail', () => {
  test('comes after a sign-in from a known browser, by password or by passkey', async () => {
    const { browser, email } = await signUp(t.url);
    const passkey = new Passkey(t.url);
    await addPasskey(browser, passkey);
    await browser.auth('/sign-in/email', { email, password });
    await signInWithPasskey(browser, passkey);
    // A mail that comes later shows that no other is under way.
    await browser.auth('/change-password', { currentPassword: password, newPassword });
    await expect.poll(() => mailTo(t, email, 'was changed')).not.toBeNull();
    expect(await mailTo(t, email, 'new browser')).toBeNull();
  });

  test('comes after a refused change', async () => {
    const { browser, email } = await signUp(t.url);
    await browser.auth('/change-password', { currentPassword: 'wrong wrong wrong', newPassword });
    await browser.auth('/two-factor/enable', { password });
    await addPasskey(browser, new Passkey(t.url));
    await expect.poll(() => mailTo(t, email, 'A passkey was added')).not.toBeNull();
    expect(await mailTo(t, email, 'password was changed')).toBeNull();
    expect(await mailTo(t, email, 'turned on')).toBeNull();
  });
});

test('a mail server that hangs delays no change', async () => {
  const person = await signUp(t.url);
  const silent = await startSilentServer();
  const hanging = await startApiOn({ ...t.settings, KURIR_SMTP_URL: silent.url });
  try {
    const change = { currentPassword: password, newPassword };
    const begun = performance.now();
    const headers = { Origin: hanging.url, 'Content-Type': 'application/json', Cookie: person.browser.cookie };
    const init = { method: 'POST', headers, body: JSON.stringify(change) };
    expect((await fetch(`${hanging.url}/app/api/auth/change-password`, init)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(4_000);
    await expect.poll(() => silent.waiting, { timeout: 4_000 }).toBe(1);
  } finally {
    await hanging.close();
    await silent.close();
  }
});
