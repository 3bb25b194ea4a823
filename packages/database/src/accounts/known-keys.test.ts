/** Tests of the keys that a person knows, and of people who make keys while they leave. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AccountId, type ApiKeyId, newId, type Scope, type UserId } from '@kurir/contracts';
import { mayKnowKey } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { withConnection } from '../postgres/connect.js';
import { createAccount } from './accounts.js';
import { changeApiKey, createApiKey, revokeApiKey, rotateApiKeySecret } from './api-keys.js';
import type { KnownKeysRule } from './known-keys.js';
import { listApiKeys } from './list-api-keys.js';
import { addMember, changeMemberRole, removeMember } from './members.js';
import { ensurePerson } from './people.js';

const fixture = useDatabaseFixture();

const migration = new URL('../../../../prisma/migrations/20261125175000_makers_of_keys/migration.sql', import.meta.url);

const newPerson = (name: string) =>
  ensurePerson(fixture().database, { email: `${newId('usr')}@example.com`, name, passwordHash: 'x', isAdmin: false });

/** An account with an owner, and a developer who will leave. */
async function newTeam() {
  const { database } = fixture();
  const accountId = await createAccount(database, 'test');
  const [owner, leaver] = [await newPerson('Siti'), await newPerson('Budi')];
  await addMember(database, accountId, owner, 'owner');
  await addMember(database, accountId, leaver, 'developer');
  return { accountId, owner, leaver };
}

const ownersScopes: Scope[] = ['messages:send', 'account:renew'];

type Made = { accountId: AccountId; maker?: UserId; name?: string; scopes?: Scope[] };

const newKey = ({ name = 'k', scopes = ['messages:send'], ...rest }: Made) => ({
  id: `kk_test_${randomBytes(8).toString('hex')}` as ApiKeyId,
  secret: 'ks_test_x',
  name,
  scopes,
  allowedIps: [],
  ...rest,
});

async function makeKey(made: Made): Promise<ApiKeyId> {
  const key = newKey(made);
  expect(await createApiKey(fixture().database, sealer, key)).toBe('done');
  return key.id;
}

const rotate = (key: { id: ApiKeyId; accountId: AccountId; maker?: UserId }, overlapSeconds = 60) =>
  rotateApiKeySecret(fixture().database, sealer, key, 'ks_test_y', overlapSeconds);

const everyKey = { mayKnow: () => false, revoke: null } satisfies KnownKeysRule;
const remove = (accountId: AccountId, userId: UserId, rule: KnownKeysRule = everyKey) =>
  removeMember(fixture().database, accountId, userId, undefined, rule);

test('a person who leaves knows the live secrets that they made or rotated, and no others', async () => {
  const { accountId, owner, leaver } = await newTeam();
  const [made, rotated, replaced, overlapping, ended] = [
    await makeKey({ accountId, maker: leaver, name: 'made' }),
    await makeKey({ accountId, maker: owner, name: 'rotated' }),
    await makeKey({ accountId, maker: leaver, name: 'replaced' }),
    await makeKey({ accountId, maker: leaver, name: 'overlapping' }),
    await makeKey({ accountId, maker: leaver, name: 'ended' }),
  ];
  await makeKey({ accountId, maker: owner });
  await makeKey({ accountId });
  expect(await rotate({ id: rotated, accountId, maker: leaver })).toBe('done');
  expect(await rotate({ id: replaced, accountId, maker: owner }, 0)).toBe('done');
  expect(await rotate({ id: overlapping, accountId, maker: owner })).toBe('done');
  await revokeApiKey(fixture().database, accountId, ended);
  const left = await remove(accountId, leaver);
  expect(left).toEqual({
    keys: [
      { id: made, name: 'made', revoked: false },
      { id: rotated, name: 'rotated', revoked: false },
      { id: overlapping, name: 'overlapping', revoked: false },
    ],
  });
  const keys = await listApiKeys(fixture().database, accountId);
  expect(keys.find(({ id }) => id === made)?.maker).toEqual({ userId: leaver, name: 'Budi', role: null });
  expect(keys.find(({ id }) => id === rotated)?.maker).toEqual({ userId: owner, name: 'Siti', role: 'owner' });
});

test('the keys are revoked in the same step, with a row each, or not at all', async () => {
  const { accountId, owner, leaver } = await newTeam();
  const known = await makeKey({ accountId, maker: leaver });
  const others = await makeKey({ accountId, maker: owner });
  const audit = { accountId, actor: owner, action: 'key.revoked' } as const;
  expect(await remove(accountId, owner, { ...everyKey, revoke: { audit } })).toBe('last-owner');
  expect(await remove(accountId, leaver, { ...everyKey, revoke: { audit } })).toEqual({
    keys: [{ id: known, name: 'k', revoked: true }],
  });
  const live = (await listApiKeys(fixture().database, accountId)).filter(({ revokedAt }) => revokedAt === null);
  expect(live.map(({ id }) => id)).toEqual([others]);
  const rows = await fixture().query('SELECT actor, action, subject FROM audit_log WHERE account_id = $1', [accountId]);
  expect(rows).toEqual([{ actor: owner, action: 'key.revoked', subject: known }]);
});

test('an owner who becomes a developer may not know the keys that may renew', async () => {
  const { accountId, leaver } = await newTeam();
  await changeMemberRole(fixture().database, accountId, leaver, 'owner');
  await makeKey({ accountId, maker: leaver });
  const renewing = await makeKey({ accountId, maker: leaver, scopes: ownersScopes });
  const all = await makeKey({ accountId, maker: leaver, scopes: [] });
  const rule = { mayKnow: (scopes: readonly string[]) => mayKnowKey('developer', scopes), revoke: null };
  const changed = await changeMemberRole(fixture().database, accountId, leaver, 'developer', undefined, rule);
  expect(changed).toMatchObject({ keys: [{ id: renewing }, { id: all }] });
});

test('nobody gets the secret of a key that may do more than they may', async () => {
  const { accountId, owner, leaver: developer } = await newTeam();
  const { database } = fixture();
  for (const scopes of [ownersScopes, []]) {
    const key = newKey({ accountId, maker: developer, scopes });
    expect(await createApiKey(database, sealer, key)).toBe('not-allowed');
    const id = await makeKey({ accountId, maker: owner, scopes });
    expect(await rotate({ id, accountId, maker: developer })).toBe('not-allowed');
    expect(await rotate({ id, accountId, maker: owner })).toBe('done');
  }
});

test('a change keeps the scopes that a key has, and adds only those that the person may give', async () => {
  const { accountId, owner, leaver: developer } = await newTeam();
  const { database } = fixture();
  const change = (keyId: ApiKeyId, scopes: Scope[], changer = developer) =>
    changeApiKey(database, { keyId, accountId, changer }, { scopes });
  const renewing = await makeKey({ accountId, maker: owner, scopes: ownersScopes });
  expect(await change(renewing, ['account:renew', 'devices:read'])).toBe('done');
  expect(await change(renewing, [])).toBe('not-allowed');
  expect(await change(renewing, ['devices:read'])).toBe('done');
  expect(await change(renewing, ['account:renew'])).toBe('not-allowed');
  expect(await change(renewing, ['account:renew'], owner)).toBe('done');
  const all = await makeKey({ accountId, maker: owner, scopes: [] });
  expect(await changeApiKey(database, { keyId: all, accountId, changer: developer }, { name: 'other' })).toBe('done');
  expect(await change(all, ['account:renew'])).toBe('done');
  expect(await change(all, ['messages:read'], await newPerson('Eve'))).toBe('not-allowed');
});

test.each(['createApiKey', 'rotateApiKeySecret'] as const)(
  '%s in the moment of the removal is seen by it',
  async (how) => {
    const { accountId, owner, leaver } = await newTeam();
    const { database } = fixture();
    const present = await makeKey({ accountId, maker: owner });
    const key = newKey({ accountId, maker: leaver });
    const make = () =>
      how === 'createApiKey' ? createApiKey(database, sealer, key) : rotate({ id: present, accountId, maker: leaver });
    // Somebody else holds the key of the account, or the account itself, so that both wait.
    await withConnection(database.pool, async (blocker) => {
      await blocker.query('BEGIN');
      await blocker.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
      await blocker.query('SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE', [present]);
      const making = make();
      await expect
        .poll(async () => (await fixture().query(`SELECT 1 FROM pg_locks WHERE NOT granted`)).length, {
          timeout: 5_000,
        })
        .toBeGreaterThan(0);
      const removing = remove(accountId, leaver);
      await blocker.query('COMMIT');
      const [made, removed] = await Promise.all([making, removing]);
      // Either no secret was made, or the removal lists it.
      const listed = typeof removed === 'string' ? [] : removed.keys.map(({ id }) => id);
      const secret = how === 'createApiKey' ? key.id : present;
      expect([made, listed]).toEqual(made === 'done' ? ['done', [secret]] : ['not-allowed', []]);
    });
  },
);

test('a removal that began first leaves no key of the person who leaves', async () => {
  const { accountId, leaver } = await newTeam();
  const { database } = fixture();
  await remove(accountId, leaver);
  expect(await createApiKey(database, sealer, newKey({ accountId, maker: leaver }))).toBe('not-allowed');
  expect(await listApiKeys(database, accountId)).toEqual([]);
});

test('the migration finds the makers of earlier keys in the audit log', async () => {
  const { accountId, owner, leaver } = await newTeam();
  const { database } = fixture();
  const by = (actor: string, action: 'key.created' | 'key.rotated') => ({ accountId, actor, action });
  const [first, second] = [newKey({ accountId }), newKey({ accountId })];
  await createApiKey(database, sealer, first, by(leaver, 'key.created'));
  await rotateApiKeySecret(database, sealer, first, 'ks_test_2', 60, by('admin', 'key.rotated'));
  await rotateApiKeySecret(database, sealer, first, 'ks_test_3', 60, by(owner, 'key.rotated'));
  await createApiKey(database, sealer, second, by('admin', 'key.created'));
  await rotateApiKeySecret(database, sealer, second, 'ks_test_2', 60, by(leaver, 'key.rotated'));
  const sql = readFileSync(fileURLToPath(migration), 'utf8');
  await fixture().query(sql.slice(sql.indexOf('-- The audit log')));
  const keys = await listApiKeys(database, accountId);
  expect(keys.map(({ maker, secrets }) => [maker?.userId, ...secrets.map(({ createdBy }) => createdBy)])).toEqual([
    [leaver, owner, null, leaver],
    [undefined, leaver, null],
  ]);
});
