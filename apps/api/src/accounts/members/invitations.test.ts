/** Tests invitations over HTTP: who joins with one, and in which language it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMailServer } from '../../../test/mail-server.js';
import { Browser, newEmail, password, type Person, signUp } from '../../../test/person.js';
import { startApiOn, startTestApi, type TestApi } from '../../../test/test-api.js';

let t: TestApi;
let person: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  person = await signUp(t.url);
});
afterAll(() => t.close());

const data = async (...args: Parameters<Browser['call']>) => {
  const answer = await person.browser.call(...args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

async function linkMailedTo(email: string): Promise<string> {
  const { rows } = await t.database.pool.query<{ text: string }>(
    'SELECT text FROM kept_mails WHERE recipient = $1 ORDER BY created_at',
    [email],
  );
  return /\/app\/join\/(\S+)/.exec(rows.at(-1)?.text ?? '')?.[1] ?? '';
}

describe('a person who signs up by an invitation', () => {
  async function invite(email: string): Promise<string> {
    await data('inviteMember', { body: { email, role: 'developer' } });
    return linkMailedTo(email);
  }
  const join = (email: string, invitation: string) => {
    const browser = new Browser(t.url);
    const body = { email, password, name: 'Budi', language: 'en', invitation };
    return browser.auth('/sign-up/email', body).then((answer) => ({ browser, ...answer }));
  };

  test('joins at once, and no other account is made', async () => {
    const email = newEmail();
    const token = await invite(email);
    const offered = (await new Browser(t.url).call('readInvitation', { params: { token } })).body.data;
    const { name } = (await data('readMe'))['user'] as { name: string };
    expect(offered).toMatchObject({ invited_by: { name, email: person.email }, registered: false, role: 'developer' });
    const { browser, status } = await join(email, token);
    expect(status).toBe(200);
    const { user, account, accounts } = (await browser.call('readMe')).body.data;
    expect(account).toMatchObject({ account_id: person.accountId, role: 'developer' });
    expect(accounts).toHaveLength(1);
    const { user_id: userId } = user as { user_id: string };
    const stored = 'SELECT email_verified FROM users WHERE id = $1';
    expect((await t.database.pool.query(stored, [userId])).rows).toEqual([{ email_verified: true }]);
    const { entries } = await data('listAudit');
    expect(entries).toContainEqual(expect.objectContaining({ action: 'member.joined', subject: userId }));
  });

  test('cannot do so with a used, a revoked or an invented one, nor with one for another address', async () => {
    const email = newEmail();
    const token = await invite(email);
    expect((await join(newEmail(), token)).body?.['code']).toBe('INVITATION_NOT_FOUND');
    expect((await join(email, 'invented')).body?.['code']).toBe('INVITATION_NOT_FOUND');
    expect((await join(email.toUpperCase(), token)).status).toBe(200);
    expect((await join(email, token)).body?.['code']).toBe('INVITATION_NOT_FOUND');
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM users WHERE lower(email) = $1', [email]);
    expect(rowCount).toBe(1);
  });

  test('changes nothing for a registered address', async () => {
    const guest = await signUp(t.url);
    const token = await invite(guest.email);
    const answer = await join(guest.email, token);
    expect(answer.status).toBe(422);
    const found = await new Browser(t.url).call('readInvitation', { params: { token } });
    expect(found.body.data).toMatchObject({ registered: true });
    expect((await guest.browser.call('readMe')).body.data['accounts']).toHaveLength(1);
  });
});

test('with a mail server, an invitation proves the address, and nothing else does', async () => {
  const mailServer = await startMailServer();
  const s = await startApiOn({ ...t.settings, KURIR_SMTP_URL: mailServer.url });
  try {
    const email = newEmail();
    await data('inviteMember', { body: { email, role: 'viewer' } });
    const invitation = await linkMailedTo(email);
    const person = { email, password, name: 'Budi', language: 'id' };
    const browser = new Browser(s.url);
    expect((await browser.auth('/sign-up/email', { ...person, invitation })).status).toBe(200);
    expect((await browser.auth('/sign-in/email', { email, password })).status).toBe(200);
    expect((await browser.call('readMe')).body.data['accounts']).toHaveLength(1);
    const other = { ...person, email: newEmail() };
    await new Browser(s.url).auth('/sign-up/email', other);
    await expect
      .poll(() => mailServer.mails.map(({ recipient }) => recipient), { timeout: 20_000 })
      .toEqual([other.email]);
    // The address was registered before: the answer names nobody, and the invitation stays open.
    const second = await signUp(t.url);
    await data('inviteMember', { body: { email: second.email, role: 'viewer' } });
    const token = await linkMailedTo(second.email);
    const again = { ...person, email: second.email, invitation: token };
    expect((await new Browser(s.url).auth('/sign-up/email', again)).status).toBe(200);
    expect((await new Browser(s.url).call('readInvitation', { params: { token } })).status).toBe(200);
  } finally {
    await s.close();
    await mailServer.close();
  }
});

describe('an invitation is in the language', () => {
  const subjectTo = async (email: string) => {
    const { rows } = await t.database.pool.query<{ subject: string }>(
      'SELECT subject FROM kept_mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1',
      [email],
    );
    return rows[0]?.subject ?? '';
  };
  const invite = async (browser: Browser, email: string) => {
    expect((await browser.call('inviteMember', { body: { email, role: 'viewer' } })).status).toBe(200);
    return subjectTo(email);
  };

  test('of the inviter, and after that of the person', async () => {
    const { browser } = await signUp(t.url);
    expect(await invite(browser, newEmail())).toMatch(/^You are invited to join /);
    expect((await browser.call('chooseLanguage', { body: { language: 'id' } })).body.data).toEqual({ language: 'id' });
    expect((await browser.call('readMe')).body.data['user']).toMatchObject({ language: 'id' });
    expect(await invite(browser, newEmail())).toMatch(/^Anda diundang bergabung dengan /);
    const guest = await signUp(t.url);
    expect(await invite(browser, guest.email)).toMatch(/^You are invited to join /);
    expect((await browser.call('chooseLanguage', { body: { language: 'fr' } })).status).toBe(422);
  });
});

test.each([
  [{ language: 'id' }, 'en-GB', 'id'],
  [{}, 'id-ID,en;q=0.5', 'id'],
  [{}, 'fr', null],
])('a new person with %j and %s has the language %j', async (given, accepted, language) => {
  const browser = new Browser(t.url);
  const body = { email: newEmail(), password, name: 'Budi', ...given };
  expect((await browser.auth('/sign-up/email', body, { 'Accept-Language': accepted })).status).toBe(200);
  expect((await browser.call('readMe')).body.data['user']).toMatchObject({ language });
});

test('an unknown language is refused', async () => {
  const body = { email: newEmail(), password, name: 'Budi', language: 'fr' };
  expect((await new Browser(t.url).auth('/sign-up/email', body)).body?.['code']).toBe('INVALID_REQUEST');
});
