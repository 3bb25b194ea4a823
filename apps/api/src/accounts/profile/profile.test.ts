/** A person changes the name and the address, leaves accounts and opens one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, newEmail, password, type Person, signUp, signUpAs } from '../../../test/person.js';
import { endConfirmations, mailTo } from '../../../test/second-factor.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const codeOf = async (asked: ReturnType<Browser['call']>) => {
  const { status, body } = await asked;
  return status === 200 ? 200 : body.code;
};

const actionsIn = async (accountId: string) => {
  const { rows } = await t.database.pool.query<{ action: string }>(
    'SELECT action FROM audit_log WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows.map(({ action }) => action);
};

const meOf = async ({ browser }: Pick<Person, 'browser'>) => {
  const { user, account, accounts } = (await browser.call('readMe')).body.data;
  return {
    user: user as { name: string; email: string },
    account: account as { account_id: string; name: string; role: string },
    accounts: accounts as unknown[],
  };
};

const ask = ({ browser }: Person, email: string) => browser.call('changeMyEmail', { body: { email } });
const confirm = ({ browser }: Pick<Person, 'browser'>, token: string) =>
  browser.call('confirmMyEmail', { body: { token } });

async function tokenTo(email: string): Promise<string> {
  await expect.poll(() => mailTo(t, email, 'confirm-email?token=')).not.toBeNull();
  return /token=(\S+)/.exec((await mailTo(t, email, 'confirm-email?token=')) ?? '')?.[1] ?? '';
}

const signInAs = async (email: string) => (await new Browser(t.url).auth('/sign-in/email', { email, password })).status;

describe('the name', () => {
  test('changes for the person and for the members of each account, and is noted in each', async () => {
    const owner = await signUp(t.url);
    const guest = await signUp(t.url);
    const joined = await t.database.pool.query('INSERT INTO members (account_id, user_id, role) VALUES ($1, $2, $3)', [
      owner.accountId,
      guest.userId,
      'viewer',
    ]);
    expect(joined.rowCount).toBe(1);
    expect((await guest.browser.call('renameMe', { body: { name: ' Budi Baru ' } })).body.data).toEqual({
      name: 'Budi Baru',
    });
    expect((await meOf(guest)).user.name).toBe('Budi Baru');
    const { members } = (await owner.browser.call('listMembers')).body.data;
    expect(members).toContainEqual(expect.objectContaining({ name: 'Budi Baru' }));
    for (const accountId of [owner.accountId, guest.accountId])
      expect(await actionsIn(accountId)).toContain('person.renamed');
  });

  test.each(['', ' ', 'see www.evil.example', 'a\u0000b', 'two\nlines', 'x'.repeat(65)])('is not %j', async (name) => {
    const { browser } = await signUp(t.url);
    expect(await codeOf(browser.call('renameMe', { body: { name } }))).toBe('INVALID_REQUEST');
  });
});

describe('the address', () => {
  test('changes once the new one is confirmed, and the old one is told twice', async () => {
    const person = await signUp(t.url);
    const next = newEmail();
    await person.browser.auth('/request-password-reset', { email: person.email });
    await expect.poll(() => mailTo(t, person.email, 'reset-password?token=')).not.toBeNull();
    const reset = /token=(\S+)/.exec((await mailTo(t, person.email, 'reset-password?token=')) ?? '')?.[1];
    expect((await ask(person, next.toUpperCase())).body.data).toMatchObject({ email: next });
    const token = await tokenTo(next);
    expect(await mailTo(t, person.email, 'A new email address was asked for.')).not.toBeNull();
    expect((await meOf(person)).user.email).toBe(person.email);
    expect(await signInAs(next)).toBe(401);
    expect((await confirm(person, token)).body.data['user']).toMatchObject({ email: next });
    expect([await signInAs(next), await signInAs(person.email)]).toEqual([200, 401]);
    expect((await meOf(person)).user.email).toBe(next);
    const told = (await mailTo(t, person.email, 'From now on you sign in with')) ?? '';
    expect(told).toContain(`${next[0]}…@example.com`);
    expect(told).not.toContain(next);
    const withOldLink = { token: reset, newPassword: 'another horse entirely' };
    expect((await new Browser(t.url).auth('/reset-password', withOldLink)).status).toBe(400);
    expect(await actionsIn(person.accountId)).toEqual(
      expect.arrayContaining(['person.email_change_requested', 'person.email_changed']),
    );
    const { rows } = await t.database.pool.query('SELECT 1 FROM verifications WHERE strpos(value, $1) > 0', [
      person.userId,
    ]);
    expect(rows).toEqual([]);
  });

  test('does not change by a link that was used, replaced, has ended, is invented or is of another person', async () => {
    const person = await signUp(t.url);
    const [first, second] = [newEmail(), newEmail()];
    await ask(person, first);
    const replaced = await tokenTo(first);
    await ask(person, second);
    const token = await tokenTo(second);
    const stranger = await signUp(t.url);
    for (const [who, given] of [
      [person, replaced],
      [person, 'invented'],
      [stranger, token],
    ] as const)
      expect(await codeOf(confirm(who, given))).toBe('EMAIL_CHANGE_NOT_FOUND');
    const isOf = `starts_with(identifier, 'email-change:') AND strpos(value, $1) > 0`;
    const expire = (interval: string) =>
      t.database.pool.query(`UPDATE verifications SET expires_at = now() + interval '${interval}' WHERE ${isOf}`, [
        person.userId,
      ]);
    await expire('-1 second');
    expect(await codeOf(confirm(person, token))).toBe('EMAIL_CHANGE_NOT_FOUND');
    await expire('1 minute');
    expect(await codeOf(confirm(person, token))).toBe(200);
    expect(await codeOf(confirm(person, token))).toBe('EMAIL_CHANGE_NOT_FOUND');
  });

  test('of somebody else gets the same answer, and only that person hears of it', async () => {
    const [person, other] = [await signUp(t.url), await signUp(t.url)];
    const taken = await ask(person, other.email);
    const free = await ask(person, newEmail());
    const shape = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, Object.keys(body.data)];
    expect(shape(taken)).toEqual(shape(free));
    expect(await mailTo(t, other.email, 'You are registered with it already.')).not.toBeNull();
    expect(await mailTo(t, other.email, 'confirm-email')).toBeNull();
  });

  test('goes to one of two people who want it, also at the same moment', async () => {
    const people = await Promise.all([signUp(t.url), signUp(t.url)]);
    const wanted = newEmail();
    const tokens: string[] = [];
    for (const person of people) {
      await ask(person, wanted);
      await expect.poll(async () => [tokens[0], null].includes(await tokenTo(wanted)), { timeout: 10_000 }).toBe(false);
      tokens.push(await tokenTo(wanted));
    }
    const codes = await Promise.all(people.map((person, at) => codeOf(confirm(person, tokens[at] ?? ''))));
    expect(codes.toSorted()).toEqual([200, 'EMAIL_CHANGE_NOT_FOUND']);
  });

  test('does not change after a password reset', async () => {
    const person = await signUp(t.url);
    const next = newEmail();
    await ask(person, next);
    const token = await tokenTo(next);
    await new Browser(t.url).auth('/request-password-reset', { email: person.email });
    await expect.poll(() => mailTo(t, person.email, 'reset-password?token=')).not.toBeNull();
    const reset = /token=(\S+)/.exec((await mailTo(t, person.email, 'reset-password?token=')) ?? '')?.[1];
    const newPassword = 'another horse entirely';
    expect((await new Browser(t.url).auth('/reset-password', { token: reset, newPassword })).status).toBe(200);
    const browser = new Browser(t.url);
    await browser.auth('/sign-in/email', { email: person.email, password: newPassword });
    expect(await codeOf(confirm({ browser }, token))).toBe('EMAIL_CHANGE_NOT_FOUND');
  });

  test('needs a fresh confirmation, is another one, and is asked for five times an hour at most', async () => {
    const person = await signUp(t.url);
    expect(await codeOf(ask(person, person.email.toUpperCase()))).toBe('INVALID_REQUEST');
    expect(await codeOf(ask(person, 'no address'))).toBe('INVALID_REQUEST');
    for (let i = 0; i < 5; i++) expect(await codeOf(ask(person, newEmail()))).toBe(200);
    expect(await codeOf(ask(person, newEmail()))).toBe('RATE_LIMITED');
    await endConfirmations(t, person.userId);
    expect(await codeOf(ask(person, newEmail()))).toBe('CONFIRMATION_REQUIRED');
  });
});

describe('a member', () => {
  const leave = ({ browser, accountId }: Person) => browser.call('leaveAccount', { body: { account_id: accountId } });

  test('leaves an account, once, and sees their own again', async () => {
    const owner = await signUp(t.url);
    const member = await signUpAs(t.url, t.database, owner.accountId, 'developer');
    expect(await codeOf(leave(member))).toBe(200);
    const { account, accounts } = await meOf(member);
    expect(account.account_id).not.toBe(owner.accountId);
    expect(accounts).toHaveLength(1);
    expect(await codeOf(leave(member))).toBe('ACCOUNT_NOT_FOUND');
    expect(await actionsIn(owner.accountId)).toContain('member.left');
  });

  test('cannot leave as the only owner, and one of two owners stays who leave at the same moment', async () => {
    const owner = await signUp(t.url);
    expect(await codeOf(leave(owner))).toBe('LAST_OWNER');
    const second = await signUpAs(t.url, t.database, owner.accountId, 'owner');
    const codes = await Promise.all([codeOf(leave(owner)), codeOf(leave(second))]);
    expect(codes.toSorted()).toEqual([200, 'LAST_OWNER']);
  });

  test('who leaves the only account gets an empty one without a trial', async () => {
    const owner = await signUp(t.url);
    const second = await signUpAs(t.url, t.database, owner.accountId, 'owner');
    expect(await codeOf(leave(owner))).toBe(200);
    const { account } = await meOf(owner);
    expect([account.account_id === owner.accountId, account.role]).toEqual([false, 'owner']);
    expect((await owner.browser.call('listPlans')).body.data).toMatchObject({ subscription: null });
    expect((await meOf(second)).accounts).toHaveLength(2);
  });

  test('needs a fresh confirmation to leave', async () => {
    const owner = await signUp(t.url);
    const member = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
    await endConfirmations(t, member.userId);
    expect(await codeOf(leave(member))).toBe('CONFIRMATION_REQUIRED');
  });
});

describe('an account of their own', () => {
  async function invited(): Promise<Pick<Person, 'browser'>> {
    const owner = await signUp(t.url);
    const email = newEmail();
    await owner.browser.call('inviteMember', { body: { email, role: 'viewer' } });
    const invitation = /\/app\/join\/(\S+)/.exec((await mailTo(t, email, '/app/join/')) ?? '')?.[1];
    const browser = new Browser(t.url);
    await browser.auth('/sign-up/email', { email, password, name: 'Budi', language: 'en', invitation });
    return { browser };
  }
  const open = ({ browser }: Pick<Person, 'browser'>) => browser.call('openAccount', { body: { name: 'Toko Budi' } });

  test('is there for a person who only joined, with a trial, and once', async () => {
    const guest = await invited();
    expect((await meOf(guest)).accounts).toHaveLength(1);
    const codes = await Promise.all([codeOf(open(guest)), codeOf(open(guest))]);
    expect(codes.toSorted()).toEqual([200, 'ALREADY_OWNER']);
    const { account, accounts } = await meOf(guest);
    expect(account).toMatchObject({ name: 'Toko Budi', role: 'owner' });
    expect(accounts).toHaveLength(2);
    expect((await guest.browser.call('listPlans')).body.data).toMatchObject({ subscription: { initial_quota: 100 } });
    expect(await actionsIn(account.account_id)).toContain('account.created');
  });

  test('is refused to an owner', async () => {
    expect(await codeOf(open(await signUp(t.url)))).toBe('ALREADY_OWNER');
  });
});
