import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkUserVerified } from './create-sign-in.js';
import { Browser, newEmail, password, signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

test('a person who signs up is signed in, owns an account and has some trial messages', async () => {
  const { browser, accountId } = await signUp(t.url);
  const me = await browser.call('readMe');
  expect(me.body).toMatchObject({ success: true, data: { account: { account_id: accountId, role: 'owner' } } });
  const plans = await browser.call('listPlans');
  expect(plans.body.data).toMatchObject({ subscription: { initial_quota: 100, remaining_quota: 100, days_left: 7 } });
});

test.each(['Evil\r\nBcc: x@example.com', 'see http://evil.example/', 'a\u0000b'])(
  '%j is no name of a person',
  async (name) => {
    const answer = await new Browser(t.url).auth('/sign-up/email', { email: newEmail(), password, name });
    expect([answer.status, answer.body?.['code']]).toEqual([400, 'INVALID_NAME']);
  },
);

test('parallel first requests open one account', async () => {
  const browser = new Browser(t.url);
  await browser.auth('/sign-up/email', { email: newEmail(), password, name: 'Budi' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.call('readMe')));
  const accounts = answers.map((answer) => (answer.body.data['account'] as { account_id: string }).account_id);
  expect(new Set(accounts).size).toBe(1);
  expect(answers.at(0)?.body.data['accounts']).toHaveLength(1);
});

test('without a session every route refuses in the envelope', async () => {
  const answer = await new Browser(t.url).call('listDevices');
  expect([answer.status, answer.body.code]).toEqual([401, 'SESSION_REQUIRED']);
});

test('a password is stored as argon2id', async () => {
  const { userId } = await signUp(t.url);
  const { rows } = await t.database.pool.query<{ password: string }>(
    'SELECT password FROM sign_in_methods WHERE user_id = $1',
    [userId],
  );
  expect(rows[0]?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test.each(['1234567890', 'aaaaaaaaaa', 'password12', 'rahasia123', 'the own address', 'the own name'])(
  '%s is no password',
  async (what) => {
    const email = newEmail();
    const name = 'Maharani Kusuma';
    const easy = what === 'the own address' ? email : what === 'the own name' ? 'maharanikusuma' : what;
    const answer = await new Browser(t.url).auth('/sign-up/email', { email, password: easy, name });
    expect(answer).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_COMMON' } });
    const { browser } = await signUp(t.url);
    const changed = await browser.auth('/change-password', { currentPassword: password, newPassword: 'password12' });
    expect(changed).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_COMMON' } });
  },
);

test('a refused sign-in is no failure of ours in the log', async () => {
  const before = t.logs.filter(({ level }) => level === 'error').length;
  const guess = { email: newEmail(), password: 'wrong wrong wrong' };
  const browser = new Browser(t.url);
  for (let i = 0; i < 7; i++) await browser.auth('/sign-in/email', guess);
  expect(t.logs.filter(({ level }) => level === 'error')).toHaveLength(before);
});

test('a wrong password and an unknown address get the same answer', async () => {
  const { email } = await signUp(t.url);
  const wrong = await new Browser(t.url).auth('/sign-in/email', { email, password: 'wrong wrong wrong' });
  const unknown = await new Browser(t.url).auth('/sign-in/email', { email: newEmail(), password: 'wrong wrong wrong' });
  expect(wrong).toEqual(unknown);
  expect(wrong.status).toBe(401);
});

test.each([
  ['too long', 'x'.repeat(65)],
  ['text that Postgres cannot store', 'a\u0000b'],
])('a name is refused that is %s', async (_what, name) => {
  const answer = await new Browser(t.url).auth('/sign-up/email', { email: newEmail(), password, name });
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_NAME' } });
});

test('a passkey counts as two factors only if its device verified the person', () => {
  expect(() => checkUserVerified({ userVerified: true })).not.toThrow();
  expect(() => checkUserVerified({ userVerified: false })).toThrow('did not ask who you are');
});

test('passkeys require a fingerprint or a PIN', async () => {
  const { browser } = await signUp(t.url);
  const options = await browser.auth('/passkey/generate-register-options');
  expect(options.body).toMatchObject({ authenticatorSelection: { userVerification: 'required' } });
});

describe('a refusal has the envelope', () => {
  const ask = (method: string, path: string, body?: unknown) =>
    new Browser(t.url).fetch(method, `/app/api/auth${path}`, body);
  const guesses = async (times: number, email: string) => {
    const guess = { email, password: 'wrong wrong wrong' };
    const browser = new Browser(t.url);
    for (let i = 0; i < times; i++) await browser.auth('/sign-in/email', guess);
    return browser.fetch('POST', '/app/api/auth/sign-in/email', guess);
  };
  const refusals: readonly (readonly [name: string, code: string, asked: () => Promise<Response>])[] = [
    ['a wrong password', 'INVALID_EMAIL_OR_PASSWORD', () => guesses(0, newEmail())],
    ['too many wrong passwords', 'TOO_MANY_GUESSES', () => guesses(5, newEmail())],
    ['an unknown path', 'NOT_FOUND', () => ask('GET', '/nothing-here')],
    ['an unknown method', 'NOT_FOUND', () => ask('DELETE', '/sign-in/email')],
    ['a body without a field', 'VALIDATION_ERROR', () => ask('POST', '/sign-in/email', { email: newEmail() })],
    ['no session', 'SESSION_REQUIRED', () => ask('GET', '/list-sessions')],
  ];
  test.for(refusals)('%s: %s', async ([, code, asked]) => {
    const answer = await asked();
    expect(await answer.json()).toEqual({ success: false, code, error: expect.stringMatching(/\S/) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('one address may not try without limit', async () => {
  const browser = new Browser(t.url);
  const statuses = new Set<number>();
  for (let i = 0; i < 21; i++)
    statuses.add((await browser.auth('/sign-in/email', { email: newEmail(), password: 'wrong wrong' })).status);
  expect(statuses).toEqual(new Set([401, 429]));
});

test('an address that a client claims does not count', async () => {
  const { userId, browser } = await signUp(t.url);
  const { email } = (await browser.call('readMe')).body.data['user'] as { email: string };
  await new Browser(t.url).auth('/sign-in/email', { email, password }, { 'x-kurir-client-ip': '10.9.8.7' });
  const { rows } = await t.database.pool.query('SELECT 1 FROM sessions WHERE user_id = $1 AND ip_address = $2', [
    userId,
    '10.9.8.7',
  ]);
  expect(rows).toEqual([]);
});

describe('cookies', () => {
  test('have a plain name over http on loopback', async () => {
    const { browser } = await signUp(t.url);
    expect(browser.cookie).toMatch(/^kurir\.session_token=/);
  });

  test('are bound to the host over https: __Host-, Secure, HttpOnly, Path=/, no Domain', async () => {
    const s = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_PUBLIC_URL: 'https://localhost' });
    try {
      const browser = new Browser(s.url);
      const origin = { Origin: 'https://localhost' };
      await browser.auth('/sign-up/email', { email: newEmail(), password, name: 'Budi' }, origin);
      const line = browser.lastCookies.find((cookie) => cookie.startsWith('__Host-kurir.session_token='));
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toMatch(/; HttpOnly(;|$)/);
      expect(line).toMatch(/; Secure(;|$)/);
      expect(line).toMatch(/; SameSite=Lax(;|$)/);
      expect(line).not.toMatch(/domain=/i);
    } finally {
      await s.close();
    }
  });

  test('need a signature, so a token from the database opens no session', async () => {
    const { userId } = await signUp(t.url);
    const { rows } = await t.database.pool.query<{ token: string }>('SELECT token FROM sessions WHERE user_id = $1', [
      userId,
    ]);
    const answer = await fetch(`${t.url}/app/api/me`, {
      headers: { Cookie: `kurir.session_token=${rows[0]?.token}.${'A'.repeat(43)}=` },
    });
    expect(answer.status).toBe(401);
  });

  test('stay when a page reads with the cookie of a session that was just replaced', async () => {
    const { browser, userId } = await signUp(t.url);
    await t.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    for (const path of ['/app/api/me', '/app/api/auth/get-session', '/app/api/auth/list-sessions']) {
      const answer = await browser.fetch('GET', path);
      expect([path, answer.headers.getSetCookie()]).toEqual([path, []]);
    }
  });

  test('are new after each sign-in, and signing out ends their session at once', async () => {
    const { browser, email } = await signUp(t.url);
    const first = browser.cookie;
    await browser.auth('/sign-in/email', { email, password });
    expect(browser.cookie).not.toBe(first);
    const stolen = browser.cookie;
    await browser.auth('/sign-out', {});
    expect((await fetch(`${t.url}/app/api/me`, { headers: { Cookie: stolen } })).status).toBe(401);
  });
});

test('sessions are listed, and another one can be ended', async () => {
  const { browser, email } = await signUp(t.url);
  const other = new Browser(t.url);
  await other.auth('/sign-in/email', { email, password });
  const listed = await browser.fetch('GET', '/app/api/auth/list-sessions');
  expect(await listed.json()).toHaveLength(2);
  await browser.auth('/revoke-other-sessions', {});
  expect((await other.call('readMe')).body.code).toBe('SESSION_REQUIRED');
  expect((await browser.call('readMe')).status).toBe(200);
});

test.each(['/get-session', '/list-sessions', '/change-password', '/two-factor/enable'])(
  'an active session ends after its maximum age, also for %s',
  async (path) => {
    const { browser, userId } = await signUp(t.url);
    await t.database.pool.query(`UPDATE sessions SET created_at = now() - interval '13 hours' WHERE user_id = $1`, [
      userId,
    ]);
    const body = { name: 'Budi', password, currentPassword: password, newPassword: 'another horse entirely' };
    const reads = path === '/get-session' || path === '/list-sessions';
    const answer = await browser.auth(path, reads ? undefined : body);
    expect(path === '/get-session' ? answer.body : answer.status).toBe(path === '/get-session' ? null : 401);
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId]);
    expect(rowCount).toBe(0);
  },
);

test('a page refuses an active session after its maximum age', async () => {
  const { browser, userId } = await signUp(t.url);
  await t.database.pool.query(`UPDATE sessions SET created_at = now() - interval '13 hours' WHERE user_id = $1`, [
    userId,
  ]);
  expect((await browser.call('readMe')).body.code).toBe('SESSION_REQUIRED');
});

test('changes to a sign-in appear in the account’s audit log', async () => {
  const { browser, email } = await signUp(t.url);
  await browser.auth('/sign-in/email', { email, password });
  const audit = await browser.call('listAudit');
  expect(audit.body.data['entries']).toMatchObject([{ action: 'session.began' }, { action: 'account.created' }]);
});

test('the database refuses to change or empty the audit log', async () => {
  const { browser } = await signUp(t.url);
  await browser.call('renameAccount', { body: { name: 'Toko Baru' } });
  for (const text of [`UPDATE audit_log SET actor = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log CASCADE'])
    await expect(t.database.pool.query(text)).rejects.toThrow('append-only');
});

test('an account may mail only a limited number of invitations', async () => {
  const { browser } = await signUp(t.url);
  for (let i = 0; i < 20; i++)
    expect((await browser.call('inviteMember', { body: { email: newEmail(), role: 'viewer' } })).status).toBe(200);
  const answer = await browser.call('inviteMember', { body: { email: newEmail(), role: 'viewer' } });
  expect(answer.body.code).toBe('RATE_LIMITED');
});

test('in production nobody can sign up without a mail server', async () => {
  const s = await startTestApi({ KURIR_TRUST_PROXY: 1, NODE_ENV: 'production' });
  try {
    expect((await new Browser(s.url).call('readSetup')).body.data).toMatchObject({
      sign_up: false,
      mailbox_url: null,
    });
    const body = { email: newEmail(), password, name: 'Budi' };
    expect((await new Browser(s.url).auth('/sign-up/email', body)).status).toBe(400);
    expect(await (await fetch(`${s.url}/app/mailbox`)).text()).not.toContain('Mailbox');
  } finally {
    await s.close();
  }
});
