/** A stolen session must not open the way to the password, and a leaked backup not the way to an account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, password, signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

/** Each guess comes from another address, as an attacker's would: the limits by address do not count here. */
let addresses = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` });

const newPassword = 'another horse entirely';

const guesses: Readonly<Record<string, (guess: string) => object>> = {
  '/change-password': (guess) => ({ currentPassword: guess, newPassword }),
  '/two-factor/enable': (guess) => ({ password: guess }),
  '/two-factor/disable': (guess) => ({ password: guess }),
  '/two-factor/get-totp-uri': (guess) => ({ password: guess }),
  '/two-factor/generate-backup-codes': (guess) => ({ password: guess }),
};

describe('guesses of a password in a session', () => {
  test.each(Object.entries(guesses))('five wrong ones at %s are the last', async (path, body) => {
    const { browser } = await signUp(t.url);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++)
      statuses.push((await browser.auth(path, body(`wrong ${i} wrong wrong`), elsewhere())).status);
    expect(statuses.slice(0, 5)).not.toContain(429);
    expect(statuses.slice(5)).toEqual([429, 429, 429]);
    expect((await browser.auth(path, body(password), elsewhere())).status).toBe(429);
  });

  test('a right one clears the count', async () => {
    const { browser } = await signUp(t.url);
    for (let i = 0; i < 4; i++)
      await browser.auth('/two-factor/enable', { password: `wrong ${i} wrong wrong` }, elsewhere());
    expect((await browser.auth('/two-factor/enable', { password }, elsewhere())).status).toBe(200);
    for (let i = 0; i < 4; i++)
      await browser.auth('/two-factor/enable', { password: `wrong ${i} wrong wrong` }, elsewhere());
    expect((await browser.auth('/two-factor/enable', { password }, elsewhere())).status).toBe(200);
  });
});

test.each(['/verify-password', '/update-session', '/unlink-account', '/two-factor/send-otp', '/refresh-token'])(
  'the route %s, which no page uses, does not exist',
  async (path) => {
    const { browser } = await signUp(t.url);
    expect((await browser.auth(path, { password })).status).toBe(404);
  },
);

test('the token of a mail that resets a password does not stand in the database', async () => {
  const { email } = await signUp(t.url);
  await new Browser(t.url).auth('/request-password-reset', { email });
  const mailed = async () => {
    const { rows } = await t.database.pool.query<{ text: string }>(
      'SELECT text FROM kept_mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1',
      [email],
    );
    return /token=(\S+)/.exec(rows[0]?.text ?? '')?.[1] ?? null;
  };
  await expect.poll(mailed).toBeTruthy();
  const { rows } = await t.database.pool.query<{ row: string }>('SELECT v::text AS row FROM verifications v');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain(await mailed());
});
