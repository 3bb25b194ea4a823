import { createSecretKey, randomBytes } from 'node:crypto';
import { type AccountId, type ApiKeyId, limits, newId, type UserId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { rememberRequest } from '../messages/request-keys.js';
import { createSealer } from '../postgres/sealer.js';
import { createAccount } from './accounts.js';
import { addMember } from './members.js';
import { createApiKey, noteSecretsUsed, readApiKey, revokeApiKey, rotateApiKeySecret } from './api-keys.js';

const fixture = useDatabaseFixture();
const sealer = createSealer(createSecretKey(randomBytes(32)));

async function makeKey(): Promise<{ id: ApiKeyId; accountId: AccountId; secret: string }> {
  const accountId = await createAccount(fixture().database, 'test');
  const key = { id: `kk_test_${randomBytes(8).toString('hex')}` as const, accountId, secret: 'ks_test_first_canary' };
  await createApiKey(fixture().database, sealer, {
    ...key,
    name: 'k',
    scopes: ['messages:send'],
    allowedIps: ['10.0.0.0/8'],
  });
  return key;
}

async function addOwner(accountId: AccountId): Promise<UserId> {
  const id = newId('usr');
  await fixture().query('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', [id, `${id}@example.com`, 'Owner']);
  await addMember(fixture().database, accountId, id, 'owner');
  return id;
}

const read = (id: string) => readApiKey(fixture().database, sealer, id);
const secretsOf = async (id: string) => (await read(id))?.secrets.map(({ secret }) => secret);

describe('an API key', () => {
  test('is read with its secret, which is never stored in the clear', async () => {
    const key = await makeKey();
    expect(await read(key.id)).toEqual({
      id: key.id,
      accountId: key.accountId,
      country: 'ID',
      suspended: false,
      scopes: ['messages:send'],
      allowedIps: ['10.0.0.0/8'],
      secrets: [{ version: 1, secret: key.secret }],
    });
    const [row] = await fixture().query<{ sealed: Buffer }>('SELECT sealed FROM api_key_secrets WHERE key_id = $1', [
      key.id,
    ]);
    expect(row?.sealed.includes('canary')).toBe(false);
  });

  test('is null if it is unknown or revoked', async () => {
    const key = await makeKey();
    expect(await read('kk_live_nobody')).toBeNull();
    expect(await revokeApiKey(fixture().database, (await makeKey()).accountId, key.id)).toBe(false);
    expect(await read(key.id)).not.toBeNull();
    expect(await revokeApiKey(fixture().database, key.accountId, key.id)).toBe(true);
    expect(await read(key.id)).toBeNull();
    expect(await revokeApiKey(fixture().database, key.accountId, key.id)).toBe(false);
  });

  test('cannot be opened with a secret of another key', async () => {
    const [key, thief] = [await makeKey(), await makeKey()];
    await fixture().query(
      `UPDATE api_key_secrets t SET sealed = s.sealed FROM api_key_secrets s WHERE t.key_id = $1 AND s.key_id = $2`,
      [thief.id, key.id],
    );
    await expect(read(thief.id)).rejects.toThrow(`api-key|${thief.accountId}|${thief.id}|1 cannot be opened`);
  });
});

describe('rotating', () => {
  test('keeps the old secret live during the overlap, newest first, and never three', async () => {
    const key = await makeKey();
    const rotate = (secret: string) => rotateApiKeySecret(fixture().database, sealer, key, secret, 3_600);
    expect(await rotate('second')).toBe('done');
    expect(await secretsOf(key.id)).toEqual(['second', key.secret]);
    expect(await rotate('third')).toBe('done');
    expect(await secretsOf(key.id)).toEqual(['third', 'second']);
    await fixture().query(
      'UPDATE api_key_secrets SET expires_at = now() - make_interval(secs => 1) WHERE key_id = $1 AND version = 2',
      [key.id],
    );
    expect(await secretsOf(key.id)).toEqual(['third']);
  });

  test('leaves two live secrets when it runs five times at once', async () => {
    const key = await makeKey();
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((secret) => rotateApiKeySecret(fixture().database, sealer, key, secret, 60)),
    );
    expect(await secretsOf(key.id)).toHaveLength(2);
  });

  test("changes nothing for another account's key or a revoked one", async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    const asStranger = { id: key.id, accountId: other.accountId };
    expect(await rotateApiKeySecret(fixture().database, sealer, asStranger, 'x', 60)).toBe('not-found');
    expect(await secretsOf(key.id)).toEqual([key.secret]);
    await revokeApiKey(fixture().database, key.accountId, key.id);
    expect(await rotateApiKeySecret(fixture().database, sealer, key, 'x', 60)).toBe('not-found');
  });

  test('shows the last use of each secret', async () => {
    const key = await makeKey();
    await rotateApiKeySecret(fixture().database, sealer, key, 'second', 60);
    await noteSecretsUsed(fixture().database, [{ keyId: key.id, version: 1 }]);
    const rows = await fixture().query<{ last_used_at: Date | null }>(
      'SELECT last_used_at FROM api_key_secrets WHERE key_id = $1 ORDER BY version',
      [key.id],
    );
    expect(rows).toEqual([{ last_used_at: expect.any(Date) }, { last_used_at: null }]);
  });
});

test('a signed request that must run only once is stored once for each key', async () => {
  const repeatKey = randomBytes(32);
  const [a, b] = [`kk_test_a${randomBytes(4).toString('hex')}`, `kk_test_b${randomBytes(4).toString('hex')}`] as const;
  const firsts = await Promise.all(Array.from({ length: 10 }, () => rememberRequest(fixture().database, a, repeatKey)));
  expect(firsts.filter(Boolean)).toHaveLength(1);
  expect(await rememberRequest(fixture().database, b, repeatKey)).toBe(true);
});

test('an account makes keys up to its limit, also by requests at the same time; a revoked key makes room', async () => {
  const { database } = fixture();
  const accountId = await createAccount(database, 'test');
  const audit = { accountId, actor: 'test', action: 'key.created' } as const;
  const maker = await addOwner(accountId);
  const make = () => {
    const id = `kk_test_${randomBytes(8).toString('hex')}` as const;
    const key = { id, secret: 's', accountId, name: 'k', scopes: [], allowedIps: [], maker };
    return createApiKey(database, sealer, key, audit);
  };
  const made = await Promise.all(Array.from({ length: limits.keysMax + 5 }, make));
  expect(made.filter((outcome) => outcome === 'done')).toHaveLength(limits.keysMax);
  const keys = await fixture().query<{ id: ApiKeyId }>('SELECT id FROM api_keys WHERE account_id = $1', [accountId]);
  const audited = await fixture().query('SELECT 1 FROM audit_log WHERE account_id = $1', [accountId]);
  expect([keys.length, audited.length]).toEqual([limits.keysMax, limits.keysMax]);
  expect(await read(keys[0]?.id ?? '')).toMatchObject({ accountId, secrets: [{ version: 1, secret: 's' }] });
  await revokeApiKey(database, accountId, keys[0]?.id ?? '');
  expect([await make(), await make()]).toEqual(['done', 'too-many']);
});
