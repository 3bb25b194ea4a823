/** Tests the dashboard's routes of members and invitations over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, newEmail, type Person, signUp, signUpAs } from '../../../test/person.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';

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

describe('members', () => {
  test('join by a mailed link, once and only with the invited address', async () => {
    const guest = await signUp(t.url);
    await data('inviteMember', { body: { email: guest.email, role: 'viewer' } });
    const params = { token: await linkMailedTo(guest.email) };
    expect((await new Browser(t.url).call('readInvitation', { params })).body.data).toMatchObject({
      email: guest.email,
      role: 'viewer',
    });
    const stranger = await signUp(t.url);
    expect((await stranger.browser.call('acceptInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
    expect((await guest.browser.call('acceptInvitation', { params })).body.data).toMatchObject({
      account: { account_id: person.accountId, role: 'viewer' },
    });
    expect((await guest.browser.call('acceptInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
    expect((await person.browser.call('inviteMember', { body: { email: guest.email, role: 'owner' } })).body.code).toBe(
      'ALREADY_MEMBER',
    );
  });

  test('a revoked invitation does not work', async () => {
    const email = newEmail();
    const { invitation_id: id } = await data('inviteMember', { body: { email, role: 'owner' } });
    await data('revokeInvitation', { params: { invitation_id: String(id) } });
    const params = { token: await linkMailedTo(email) };
    expect((await new Browser(t.url).call('readInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
  });

  test('one owner stays if two owners remove each other in parallel', async () => {
    const one = await signUp(t.url);
    const two = await signUpAs(t.url, t.database, one.accountId, 'owner');
    const answers = await Promise.all([
      one.browser.call('removeMember', { params: { user_id: two.userId }, body: {} }),
      two.browser.call('removeMember', { params: { user_id: one.userId }, body: {} }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM members WHERE account_id = $1', [one.accountId]);
    expect(rowCount).toBe(1);
  });
});
