/** Tests of sign-in and confirmation with a second factor. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, newEmail, password, signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

/** Computes a code of RFC 6238 with SHA-1, steps of thirty seconds and six digits. */
function totp(uri: string, atMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe('two-factor sign-in', () => {
  async function withTwoFactor() {
    const person = await signUp(t.url);
    const enabled = await person.browser.auth('/two-factor/enable', { password });
    const uri = String(enabled.body?.['totpURI']);
    const backupCodes = enabled.body?.['backupCodes'] as string[];
    const verified = await person.browser.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) });
    expect(verified.status).toBe(200);
    return { ...person, uri, backupCodes };
  }

  test('asks for a code after the password, and only then gives a session', async () => {
    const { email, uri } = await withTwoFactor();
    const browser = new Browser(t.url);
    expect((await browser.auth('/sign-in/email', { email, password })).body).toMatchObject({ twoFactorRedirect: true });
    expect((await browser.call('readMe')).body.code).toBe('SESSION_REQUIRED');
    expect((await browser.auth('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    expect((await browser.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) })).status).toBe(200);
    expect((await browser.call('readMe')).body.data).toMatchObject({ user: { two_factor: true } });
  });

  test('a new secret is shown only if the session was confirmed recently', async () => {
    const { browser, userId, uri } = await withTwoFactor();
    const key = { name: 'Toko' };
    expect((await browser.call('createKey', { body: key })).status).toBe(200);
    await t.database.pool.query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      userId,
    ]);
    expect((await browser.call('createKey', { body: key })).body.code).toBe('CONFIRMATION_REQUIRED');
    expect((await browser.call('confirmSession', { body: { code: '000000' } })).body.code).toBe('CODE_NOT_ACCEPTED');
    expect((await browser.call('confirmSession', { body: { code: totp(uri, Date.now()) } })).status).toBe(200);
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
    const { browser, email, uri } = await withTwoFactor();
    const other = new Browser(t.url);
    await other.auth('/sign-in/email', { email, password });
    await other.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) });
    await browser.call('confirmSession', { body: { code: totp(uri, Date.now()) } });
    const { entries } = (await browser.call('listAudit')).body.data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action).slice(0, 3)).toEqual([
      'session.confirmed',
      'session.began',
      'password.accepted',
    ]);
  });

  test('a backup code confirms once', async () => {
    const { browser, backupCodes } = await withTwoFactor();
    const body = { code: backupCodes[0] };
    expect((await browser.call('confirmSession', { body })).status).toBe(200);
    expect((await browser.call('confirmSession', { body })).body.code).toBe('CODE_NOT_ACCEPTED');
  });

  test('after ten wrong codes even the right one does not sign in, from every address', async () => {
    const { email, uri } = await withTwoFactor();
    // Each right password allows five tries.
    for (let round = 0; round < 2; round++) {
      const browser = new Browser(t.url);
      await browser.auth('/sign-in/email', { email, password });
      for (let i = 0; i < 5; i++) await browser.auth('/two-factor/verify-totp', { code: `00000${i}` });
    }
    const browser = new Browser(t.url);
    await browser.auth('/sign-in/email', { email, password });
    const answer = await browser.auth('/two-factor/verify-totp', { code: totp(uri, Date.now()) });
    expect(answer).toMatchObject({ status: 429, body: { code: 'ACCOUNT_TEMPORARILY_LOCKED' } });
  });

  test('an open session does not reveal the right code on either path', async () => {
    const { browser, uri } = await withTwoFactor();
    for (let i = 0; i < 5; i++) await browser.auth('/two-factor/verify-totp', { code: `00000${i}` });
    const right = { code: totp(uri, Date.now()) };
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
