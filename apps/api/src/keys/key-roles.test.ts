/** Tests that a key is no way around a role, over HTTP. */
import { scopes } from '@kurir/contracts';
import { mayGiveScope } from '@kurir/contracts/dashboard';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Key } from '../../test/customer-fixture.js';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { sendSigned } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let owner: Person;
let developer: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
// An account may not have all the keys of this file.
beforeEach(async () => {
  owner = await signUp(t.url);
  developer = await signUpAs(t.url, t.database, owner.accountId, 'developer');
});
afterAll(() => t.close());

const create = (person: Person, given: object) =>
  person.browser.call('createKey', { body: { name: 'Toko', mode: 'live', ...given } });

async function keyOf(person: Person, given: object): Promise<Key> {
  const { status, body } = await create(person, given);
  expect(status, JSON.stringify(body)).toBe(200);
  const { api_key } = body.data['key'] as { api_key: Key['id'] };
  return { id: api_key, secret: String(body.data['api_secret']) };
}

describe.each(scopes)('the scope %s', (scope) => {
  test('comes from those who may do the same', async () => {
    expect((await create(owner, { scopes: [scope] })).status).toBe(200);
    const answer = await create(developer, { scopes: [scope] });
    expect(answer.body.code ?? 'created').toBe(mayGiveScope('developer', scope) ? 'created' : 'ROLE_NOT_ALLOWED');
  });
});

test('a developer renews neither by dashboard nor by a key, and an owner by both', async () => {
  const renew = (key: Key) => sendSigned(t.url, { method: 'POST', target: '/api/v1/account/renew', key });
  expect((await developer.browser.call('renewAccount')).body.code).toBe('ROLE_NOT_ALLOWED');
  expect((await owner.browser.call('renewAccount')).body.code).toBe('NO_PLAN_CHOSEN');
  for (const given of [{}, { scopes: [] }, { scopes: ['account:renew'] }]) {
    expect((await create(developer, given)).body.code).toBe('ROLE_NOT_ALLOWED');
    const key = await keyOf(owner, given);
    expect((await renew(key)).body.code).toBe('NO_PLAN_CHOSEN');
    const params = { api_key: key.id };
    expect((await developer.browser.call('rotateKey', { params, body: {} })).body.code).toBe('ROLE_NOT_ALLOWED');
    // It gets no secret by these, and people need them in a hurry.
    expect((await developer.browser.call('changeKey', { params, body: { name: 'Other' } })).status).toBe(200);
    expect((await developer.browser.call('revokeKey', { params })).status).toBe(200);
  }
  const limited = await keyOf(developer, { scopes: ['messages:send'] });
  const params = { api_key: limited.id };
  for (const wanted of [[], ['account:renew']])
    expect((await developer.browser.call('changeKey', { params, body: { scopes: wanted } })).body.code).toBe(
      'ROLE_NOT_ALLOWED',
    );
  expect((await renew(limited)).body.code).toBe('KEY_NOT_ALLOWED');
});

test('a key shows who made it and who saw its secrets', async () => {
  const key = await keyOf(developer, { scopes: ['messages:read'] });
  const params = { api_key: key.id };
  const rotated = await owner.browser.call('rotateKey', { params, body: {} });
  expect(rotated.body.data['key']).toMatchObject({
    created_by: { user_id: developer.userId, name: expect.stringMatching(/^Person/), role: 'developer' },
    secrets: [{ created_by: owner.userId }, { created_by: developer.userId }],
  });
});

describe('on the removal of a member', () => {
  const works = async (key: Key) =>
    (await sendSigned(t.url, { method: 'GET', target: '/api/v1/account/info', key })).status === 200;
  const leave = (person: Person, body: object) =>
    owner.browser.call('removeMember', { params: { user_id: person.userId }, body });

  test('the answer lists their keys, which go on working', async () => {
    const member = await signUpAs(t.url, t.database, owner.accountId, 'developer');
    const key = await keyOf(member, { scopes: ['account:read'] });
    expect((await leave(member, {})).body.data).toEqual({
      user_id: member.userId,
      keys: [{ api_key: key.id, name: 'Toko', revoked: false }],
    });
    expect(await works(key)).toBe(true);
    const { body } = await owner.browser.call('listKeys');
    const keys = body.data['keys'] as { api_key: string; created_by: unknown }[];
    expect(keys.find(({ api_key }) => api_key === key.id)?.created_by).toMatchObject({ role: null });
  });

  test('their keys are revoked in the same step, and stop within 5 seconds', async () => {
    const member = await signUpAs(t.url, t.database, owner.accountId, 'developer');
    const [key, others] = [
      await keyOf(member, { scopes: ['account:read'] }),
      await keyOf(owner, { scopes: ['account:read'] }),
    ];
    expect(await works(key)).toBe(true);
    expect((await leave(member, { revoke_keys: true })).body.data['keys']).toMatchObject([{ revoked: true }]);
    await expect.poll(() => works(key), { timeout: 5_000 }).toBe(false);
    expect(await works(others)).toBe(true);
    const audit = (await owner.browser.call('listAudit')).body.data['entries'] as object[];
    expect(audit.slice(0, 4)).toContainEqual(
      expect.objectContaining({
        action: 'key.revoked',
        subject: key.id,
        actor: expect.objectContaining({ id: owner.userId }),
      }),
    );
  });

  test('an owner with two-factor sign-in gives a fresh code', async () => {
    const member = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
    const careful = await signUpAs(t.url, t.database, owner.accountId, 'owner');
    await t.database.pool.query('UPDATE users SET two_factor_enabled = true WHERE id = $1', [careful.userId]);
    await t.database.pool.query('UPDATE sessions SET confirmed_at = NULL WHERE user_id = $1', [careful.userId]);
    const params = { user_id: member.userId };
    expect((await careful.browser.call('removeMember', { params, body: {} })).body.code).toBe('CONFIRMATION_REQUIRED');
    await t.database.pool.query('UPDATE sessions SET confirmed_at = now() WHERE user_id = $1', [careful.userId]);
    expect((await careful.browser.call('removeMember', { params, body: {} })).status).toBe(200);
  });
});

test('a role below developer lists the keys and can revoke them', async () => {
  const member = await signUpAs(t.url, t.database, owner.accountId, 'owner');
  await keyOf(member, { scopes: ['messages:read'] });
  const all = await keyOf(member, {});
  const params = { user_id: member.userId };
  const change = async (body: object) => (await owner.browser.call('changeRole', { params, body })).body.data['keys'];
  expect(await change({ role: 'developer' })).toMatchObject([{ api_key: all.id, revoked: false }]);
  expect(await change({ role: 'viewer', revoke_keys: true })).toMatchObject([{ revoked: true }, { revoked: true }]);
  expect(await change({ role: 'viewer' })).toEqual([]);
});
