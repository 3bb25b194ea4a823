/** People stay signed in, and their second factor works, while the master key is changed. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createSealer, openDatabase, rewrapBoxes, twoFactorColumns } from '@kurir/database';
import type { Keys } from '@kurir/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, signUp } from '../../test/person.js';
import { masterKey, startApiOn, startTestApi, type TestApi, testSettings } from '../../test/test-api.js';
import { signCookiesAnew, signLinkAnew } from './sign-anew.js';
import { deriveSignInSecret, deriveSignInSecrets } from './sign-in-secret.js';
import { findUnnamedSecret, rewrapTwoFactorBox } from './two-factor-boxes.js';

const next = createSecretKey(randomBytes(32));

let t: TestApi;
const started: TestApi[] = [];
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(async () => {
  for (const api of started) await api.close();
  await t.close();
});

/** Another api on the same database, at the same public address. */
async function apiWith(...keys: Keys): Promise<TestApi> {
  const { DATABASE_URL } = t.settings;
  const settings = { DATABASE_URL, KURIR_TRUST_PROXY: 1, KURIR_MASTER_KEY: keys, KURIR_PUBLIC_URL: t.url };
  const api = await startApiOn(testSettings(settings));
  await api.api.prepareSignIn();
  started.push(api);
  return api;
}

async function withTwoFactor() {
  const person = await signUp(t.url);
  const enabled = await person.browser.auth('/two-factor/enable', { password });
  const [row] = await rowsOf(person.userId);
  return { ...person, backupCodes: enabled.body?.['backupCodes'] as string[], row };
}

const rowsOf = async (userId: string) =>
  (
    await t.database.pool.query<{ secret: string; backup_codes: string }>(
      'SELECT secret, backup_codes FROM two_factors WHERE user_id = $1',
      [userId],
    )
  ).rows;

test('a cookie of the old secret goes on working while both keys are there, and ends with the old key', async () => {
  const { browser } = await signUp(t.url);
  const look = async (api: TestApi) =>
    (await fetch(`${api.url}/app/api/me`, { headers: { Cookie: browser.cookie, Host: new URL(t.url).host } })).status;
  expect(await look(await apiWith(masterKey, next))).toBe(200);
  expect(await look(await apiWith(next, masterKey))).toBe(200);
  expect(await look(await apiWith(next))).toBe(401);
});

test('a mailed link of the old secret is signed anew', () => {
  const secrets = deriveSignInSecrets([next, masterKey]);
  const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const link = (secret: string) => new URL(`http://127.0.0.1/app?token=a.b.${sign(secret, 'a.b')}&callbackURL=%2Fapp`);
  const [first] = secrets;
  const fresh = link(first?.value ?? '');
  expect(signLinkAnew(link(deriveSignInSecret(masterKey)), secrets).href).toBe(fresh.href);
  expect(signLinkAnew(fresh, secrets)).toBe(fresh);
  const foreign = link('another secret');
  expect(signLinkAnew(foreign, secrets)).toBe(foreign);
});

test.each([
  ['', ''],
  ['a', 'a'],
  ['kurir.session_token=', 'kurir.session_token='],
  ['kurir.session_token=%E0%A4%A; x=1', 'kurir.session_token=%E0%A4%A; x=1'],
  ['kurir.session_token=token.forged', 'kurir.session_token=token.forged'],
  ['kurir.session_token=.; =; ;', 'kurir.session_token=.; =; ;'],
])('the cookies %j stay as they are, because no secret signed them', (header, same) => {
  expect(signCookiesAnew(header, deriveSignInSecrets([next, masterKey]))).toBe(same);
});

test('secrets of authenticators and backup codes get the new key, also those of the version before ids', async () => {
  const named = await withTwoFactor();
  const unnamed = await withTwoFactor();
  const withoutName = (box: string) => box.split('$').at(-1);
  await t.database.pool.query('UPDATE two_factors SET secret = $2, backup_codes = $3 WHERE user_id = $1', [
    unnamed.userId,
    withoutName(unnamed.row?.secret ?? ''),
    withoutName(unnamed.row?.backup_codes ?? ''),
  ]);
  const secrets = deriveSignInSecrets([next, masterKey]);
  expect(await findUnnamedSecret(t.database, secrets)).toBe(deriveSignInSecret(masterKey));
  const database = openDatabase({ url: t.settings.DATABASE_URL, poolSize: 2 });
  const result = await rewrapBoxes(database, createSealer(next, masterKey), {
    more: twoFactorColumns((box) => rewrapTwoFactorBox(box, secrets)),
    audit: { accountId: null, actor: 'admin', action: 'master_key.rewrapped' },
    say: () => undefined,
    patienceMs: 0,
  });
  await database.close();
  expect(result).toMatchObject({ kind: 'ran', unreadable: [] });
  expect(await findUnnamedSecret(t.database, secrets)).toBeNull();
  const [only] = deriveSignInSecrets([next]);
  for (const { userId } of [named, unnamed]) {
    const [row] = await rowsOf(userId);
    expect(row?.secret).toMatch(new RegExp(`^\\$ba\\$${only?.version}\\$`));
    expect(row?.backup_codes).toMatch(new RegExp(`^\\$ba\\$${only?.version}\\$`));
    expect(await rewrapTwoFactorBox(row?.secret ?? '', deriveSignInSecrets([masterKey]))).toBeNull();
  }
  expect(named.backupCodes.length).toBeGreaterThan(0);
});

test('a secret that no key opens is not touched', async () => {
  const secrets = deriveSignInSecrets([next, masterKey]);
  for (const box of ['', 'zz', '00', '$ba$', '$ba$1$00', `$ba$${secrets[0]?.version}$00`])
    expect(await rewrapTwoFactorBox(box, secrets)).toBeNull();
});
