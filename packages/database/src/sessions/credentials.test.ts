import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createSealer } from '../postgres/sealer.js';
import { type CredentialRow, LeaseLost, readCredentials, writeCredentials } from './credentials.js';
import { writeUnlinked } from './device-session.js';

const fixture = useDatabaseFixture();
const sealer = createSealer(createSecretKey(randomBytes(32)));

const canary = Buffer.from('canary: the session key of a device');

const write = (tenant: Tenant, ...changes: CredentialRow[]) =>
  writeCredentials(fixture().database, sealer, tenant.holder, changes);
const read = (tenant: Tenant, kind: string, ...ids: string[]) =>
  readCredentials(fixture().database, sealer, tenant.deviceId, kind, ids);

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was refused');
}

describe('credentials', () => {
  test('are read as they were written, and missing ones are left out', async () => {
    const tenant = await fixture().tenant();
    const empty = Buffer.alloc(0);
    await write(tenant, { kind: 'key', id: '1', value: canary }, { kind: 'key', id: '2', value: empty });
    expect(await read(tenant, 'key', '1', '2', '3')).toEqual(
      new Map([
        ['1', canary],
        ['2', empty],
      ]),
    );
    expect(await read(tenant, 'other', '1')).toEqual(new Map());
    expect(await read(await fixture().tenant(), 'key', '1')).toEqual(new Map());
  });

  test('are replaced and erased in one batch', async () => {
    const tenant = await fixture().tenant();
    await write(
      tenant,
      { kind: 'key', id: '1', value: Buffer.from('a') },
      { kind: 'key', id: '2', value: Buffer.from('b') },
    );
    await write(tenant, { kind: 'key', id: '1', value: canary }, { kind: 'key', id: '2', value: null });
    expect(await read(tenant, 'key', '1', '2')).toEqual(new Map([['1', canary]]));
  });

  test('are never stored in the clear', async () => {
    const tenant = await fixture().tenant();
    await write(tenant, { kind: 'key', id: '1', value: canary });
    const [row] = await fixture().query<{ sealed: Buffer; text: string }>(
      'SELECT sealed, c::text AS text FROM device_credentials c WHERE device_id = $1',
      [tenant.deviceId],
    );
    expect(row?.sealed.includes('canary')).toBe(false);
    expect(row?.text).not.toContain(canary.toString('hex').slice(0, 12));
    expect(row?.sealed.length).toBeGreaterThan(canary.length);
  });

  test('are sealed anew each time, so that nobody sees which values are equal', async () => {
    const tenant = await fixture().tenant();
    await write(tenant, { kind: 'key', id: '1', value: canary }, { kind: 'key', id: '2', value: canary });
    const rows = await fixture().query<{ sealed: Buffer }>(
      'SELECT sealed FROM device_credentials WHERE device_id = $1',
      [tenant.deviceId],
    );
    expect(new Set(rows.map((row) => row.sealed.toString('hex'))).size).toBe(2);
  });
});

describe('a row that cannot be opened', () => {
  test.each<[string, string]>([
    ['moved to another id', `UPDATE device_credentials SET id = '2' WHERE device_id = $1`],
    [
      'damaged by one bit',
      `UPDATE device_credentials SET sealed = set_bit(sealed, 800, 1 - get_bit(sealed, 800)) WHERE device_id = $1`,
    ],
    ['cut short', `UPDATE device_credentials SET sealed = substr(sealed, 1, 60) WHERE device_id = $1`],
  ])('names itself but not its value when it was %s', async (_what, change) => {
    const tenant = await fixture().tenant();
    await write(tenant, { kind: 'key', id: '1', value: canary });
    await fixture().query(change, [tenant.deviceId]);
    const message = await messageOf(read(tenant, 'key', '1', '2'));
    expect(message).toMatch(new RegExp(`credential\\|${tenant.deviceId}\\|key\\|[12] cannot be opened`));
    expect(message).not.toContain('canary');
  });

  test('is refused when it was moved to another device', async () => {
    const [tenant, thief] = [await fixture().tenant(), await fixture().tenant()];
    await write(tenant, { kind: 'key', id: '1', value: canary });
    await fixture().query('UPDATE device_credentials SET device_id = $2 WHERE device_id = $1', [
      tenant.deviceId,
      thief.deviceId,
    ]);
    expect(await messageOf(read(thief, 'key', '1'))).toContain('cannot be opened');
  });

  test('says so when the master key is another one', async () => {
    const tenant = await fixture().tenant();
    await write(tenant, { kind: 'key', id: '1', value: canary });
    const stranger = createSealer(createSecretKey(randomBytes(32)));
    const reading = readCredentials(fixture().database, stranger, tenant.deviceId, 'key', ['1']);
    expect(await messageOf(reading)).toContain('KURIR_MASTER_KEY');
  });
});

describe('a writer that lost its lease', () => {
  test.each<[string, string]>([
    ['to another worker', `UPDATE device_leases SET owner = 'wrk_b', epoch = epoch + 1 WHERE device_id = $1`],
    ['to itself under a later epoch', 'UPDATE device_leases SET epoch = epoch + 1 WHERE device_id = $1'],
    [
      'because it ran out',
      'UPDATE device_leases SET expires_at = now() - make_interval(secs => 1) WHERE device_id = $1',
    ],
    ['because it was released', 'UPDATE device_leases SET owner = NULL WHERE device_id = $1'],
  ])('%s writes and erases nothing, and is told so', async (_what, change) => {
    const tenant = await fixture().tenant();
    await write(tenant, { kind: 'key', id: '1', value: canary });
    await fixture().query(change, [tenant.deviceId]);
    const late = write(tenant, { kind: 'key', id: '1', value: null }, { kind: 'key', id: '2', value: canary });
    await expect(late).rejects.toBeInstanceOf(LeaseLost);
    expect(await read(tenant, 'key', '1', '2')).toEqual(new Map([['1', canary]]));
  });
});

test('unlinking erases all credentials of the device and of no other', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  for (const each of [tenant, other]) await write(each, { kind: 'key', id: '1', value: canary });
  await writeUnlinked(fixture().database, tenant.holder, 'disconnected', { reason: 'logged_out' });
  expect(await read(tenant, 'key', '1')).toEqual(new Map());
  expect(await read(other, 'key', '1')).toEqual(new Map([['1', canary]]));
});
