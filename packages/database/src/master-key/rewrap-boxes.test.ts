import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { accountKeyAad } from '../accounts/account-keys.js';
import { createApiKey, readApiKey } from '../accounts/api-keys.js';
import { openDeviceProxy, sealDeviceProxy } from '../devices/device-proxy.js';
import { createSealer, type Sealer } from '../postgres/sealer.js';
import { readCredentials, writeCredentials } from '../sessions/credentials.js';
import { createWebhook } from '../webhooks/create-webhook.js';
import { readWebhookSecrets } from '../webhooks/webhook-secrets.js';
import { admitMasterKey } from './admit-master-key.js';
import { type RewrapOptions, rewrapBoxes } from './rewrap-boxes.js';
import { passOver } from './rewrap-column.js';
import { sealerColumns, twoFactorColumns } from './sealed-columns.js';

const fixture = useDatabaseFixture();
const [old, next] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
const [oldSealer, both, newSealer] = [createSealer(old), createSealer(next, old), createSealer(next)];
const audit = { accountId: null, actor: 'admin', action: 'master_key.rewrapped' } as const;

const rewrap = (sealer = both, options: Partial<RewrapOptions> = {}) =>
  rewrapBoxes(fixture().database, sealer, { more: [], audit, say: () => undefined, patienceMs: 0, ...options });

beforeEach(() => fixture().query('TRUNCATE master_keys, device_credentials, accounts, users CASCADE'));

const credentials = (count: number, value = 'v') =>
  Array.from({ length: count }, (_, id) => ({ kind: 'session', id: String(id), value: Buffer.from(value) }));

/** The id of the key as better-auth writes it. */
const numberOf = ({ keyId }: Sealer) => Number.parseInt(keyId, 16);

/** A tenant with one box in each column. */
async function sealedWorld(sealer = oldSealer): Promise<{ tenant: Tenant; keyId: string; userId: string }> {
  const { database } = fixture();
  const tenant = await fixture().tenant();
  await fixture().query('UPDATE account_keys SET sealed = $2 WHERE account_id = $1', [
    tenant.accountId,
    sealer.seal(randomBytes(32), accountKeyAad({ ...tenant, number: 1 })),
  ]);
  const key = {
    id: tenant.keyId,
    secret: 'ks_test',
    accountId: tenant.accountId,
    name: 'k',
    scopes: [],
    allowedIps: [],
  };
  await createApiKey(database, sealer, key);
  await fixture().query('UPDATE devices SET proxy_sealed = $2 WHERE id = $1', [
    tenant.deviceId,
    sealDeviceProxy(sealer, tenant.deviceId, 'socks5://u:p@127.0.0.1:1080'),
  ]);
  await createWebhook(database, sealer, {
    accountId: tenant.accountId,
    url: 'https://example.com/hook',
    description: '',
    types: [],
    deviceIds: [],
    mode: 'parallel',
    maxPerSecond: null,
    secret: 'whsec_test',
  });
  await writeCredentials(database, sealer, tenant.holder, credentials(2_500));
  const userId = newId('usr');
  await fixture().query(`INSERT INTO users (id, email, name, email_verified) VALUES ($1, $1, 'n', true)`, [userId]);
  await fixture().query(
    `INSERT INTO two_factors (id, user_id, secret, backup_codes) VALUES ($1, $1, 'old secret', '$ba$' || $2 || '$old codes')`,
    [userId, String(numberOf(oldSealer))],
  );
  return { tenant, keyId: tenant.keyId, userId };
}

async function expectReadable({ tenant, keyId }: Awaited<ReturnType<typeof sealedWorld>>, sealer = newSealer) {
  const { database } = fixture();
  const ids = credentials(2_500).map(({ id }) => id);
  expect((await readApiKey(database, sealer, keyId))?.secrets).toMatchObject([{ secret: 'ks_test' }]);
  expect((await readCredentials(database, sealer, tenant.deviceId, 'session', ids)).size).toBe(ids.length);
  const [device] = await fixture().query<{ proxy_sealed: Buffer }>('SELECT proxy_sealed FROM devices WHERE id = $1', [
    tenant.deviceId,
  ]);
  expect(openDeviceProxy(sealer, tenant.deviceId, device?.proxy_sealed ?? Buffer.of())).toContain('socks5');
  const [webhook] = await fixture().query<{ id: string }>('SELECT id FROM webhooks');
  const webhookId = webhook?.id ?? '';
  expect((await readWebhookSecrets(database, sealer, [webhookId])).get(webhookId)).toEqual([
    { secret: 'whsec_test', expiresAt: null },
  ]);
  const keys = await fixture().query<{ sealed: Buffer }>('SELECT sealed FROM account_keys');
  expect(keys.map(({ sealed }) => sealer.open(sealed, accountKeyAad({ ...tenant, number: 1 })).length)).toEqual([32]);
}

const twoFactor = twoFactorColumns((box) => Promise.resolve(`$ba$${numberOf(both)}$${box.slice(-5)}`));

test('every box is under the new key afterwards, and a second run changes nothing', async () => {
  const world = await sealedWorld();
  const first = await rewrap(both, { more: twoFactor });
  expect(first).toMatchObject({ kind: 'ran', isDone: true, unreadable: [], inUse: [] });
  expect(first.kind === 'ran' && first.columns).toEqual(
    [
      ['api_key_secrets.sealed', 1],
      ['webhook_secrets.sealed', 1],
      ['account_keys.sealed', 1],
      ['devices.proxy_sealed', 1],
      ['device_credentials.sealed', 2_500],
      ['two_factors.secret', 1],
      ['two_factors.backup_codes', 1],
    ].map(([column, boxes]) => ({ column, boxes, rewrapped: boxes, unreadable: 0 })),
  );
  await expectReadable(world);
  const second = await rewrap(both, { more: twoFactor });
  expect(second.kind === 'ran' && second.columns.every(({ rewrapped }) => rewrapped === 0)).toBe(true);
  expect(second).toMatchObject({ isDone: true });
});

test('every sealed column of the database is known', async () => {
  const columns = await fixture().query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%sealed%'`,
  );
  const known = sealerColumns(both).map(({ table, column }) => `${table}.${column}`);
  // Account keys seal the contents.
  const others = columns
    .map(({ name }) => name)
    .filter(
      (name) =>
        !/^(message_contents|inbound_messages|broadcasts|broadcast_recipients|contact_import_refusals)/.test(name),
    );
  expect(others.filter((name) => !known.includes(name))).toEqual([]);
  expect(known).toHaveLength(5);
});

test('it can be broken off in the middle and run again', async () => {
  const world = await sealedWorld();
  const [, , , column] = sealerColumns(both);
  if (column === undefined) throw new Error('no column of credentials');
  const dies = () => {
    throw new Error('killed');
  };
  await expect(passOver(fixture().database, column, { keyId: both.keyId, onSlice: dies })).rejects.toThrow('killed');
  await expectReadable(world, both);
  expect(await rewrap()).toMatchObject({ isDone: true });
  await expectReadable(world);
});

test('two runs at once do no harm', async () => {
  const world = await sealedWorld();
  await Promise.all([rewrap(), rewrap()]);
  expect(await rewrap()).toMatchObject({ isDone: true });
  await expectReadable(world);
});

test('what others write meanwhile is kept, and ends under the new key', async () => {
  const { tenant } = await sealedWorld();
  const { database } = fixture();
  const running = new AbortController();
  let round = 0;
  const writer = (async () => {
    while (!running.signal.aborted) {
      round++;
      await writeCredentials(database, round < 5 ? oldSealer : both, tenant.holder, credentials(300, `round ${round}`));
    }
  })();
  const result = await rewrap();
  running.abort();
  await writer;
  expect(result.kind === 'ran' && result.unreadable).toEqual([]);
  expect(await rewrap()).toMatchObject({ isDone: true });
  const stored = await readCredentials(database, newSealer, tenant.deviceId, 'session', ['0', '299', '300']);
  expect([...stored.values()].map(String).toSorted()).toEqual([`round ${round}`, `round ${round}`, 'v']);
});

test('a row that somebody locks is left for the next pass, without waiting', async () => {
  await sealedWorld();
  const client = await fixture().database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM device_credentials WHERE id = '7' FOR UPDATE`);
    expect(await rewrap()).toMatchObject({ kind: 'ran', isDone: false });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await rewrap()).toMatchObject({ isDone: true });
});

test('nothing changes if a box names a key that is not given', async () => {
  const world = await sealedWorld();
  const stranger = createSealer(createSecretKey(randomBytes(32)));
  expect(await rewrap(stranger)).toEqual({ kind: 'lacks-keys', keyIds: [oldSealer.keyId] });
  await expectReadable(world, oldSealer);
});

test('a damaged box stays as it is, is named, and keeps the old key in the list', async () => {
  const { tenant } = await sealedWorld();
  await admitMasterKey(fixture().database, oldSealer);
  await fixture().query(`UPDATE master_keys SET used_at = now() - interval '1 minute'`);
  await fixture().query(`UPDATE device_credentials SET sealed = substr(sealed, 1, 30) WHERE id = '7'`);
  expect(await rewrap()).toMatchObject({
    isDone: false,
    unreadable: [`credential|${tenant.deviceId}|session|7`],
  });
  expect(await admitMasterKey(fixture().database, newSealer)).toHaveLength(1);
});

test('it does not say that the old key may go while a process seals with it', async () => {
  await sealedWorld();
  await admitMasterKey(fixture().database, oldSealer);
  expect(await rewrap()).toMatchObject({ isDone: false, inUse: [oldSealer.keyId] });
});
