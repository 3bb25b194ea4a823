import { createHash } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { createRequestedDevice, type DeviceRequest } from './create-device.js';
import { listDeviceDetails } from './device-details.js';

const fixture = useDatabaseFixture();

const request = (accountId: AccountId, changes: Partial<DeviceRequest> = {}) =>
  createRequestedDevice(
    fixture().database,
    { sealer, accountKeys: fixture().accountKeys },
    {
      accountId,
      name: 'Shop',
      network: 'whatsapp',
      clientRef: 'shop-1',
      ...changes,
    },
    { accountId, actor: 'kk_test', action: 'device.created' },
  );
const newAccount = () => createAccount(fixture().database, 'test');
const devicesOf = (accountId: AccountId) => listDeviceDetails(fixture().database, sealer, accountId);

describe('a requested device', () => {
  test('is created once for one client_ref, with one audit row, also by twenty requests at once', async () => {
    const accountId = await newAccount();
    const creations = await Promise.all(Array.from({ length: 20 }, () => request(accountId)));
    expect(creations.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(creations.filter(({ kind }) => kind === 'repeated')).toHaveLength(19);
    const devices = await devicesOf(accountId);
    expect(devices).toHaveLength(1);
    expect(new Set(creations.map((creation) => 'deviceId' in creation && creation.deviceId))).toEqual(
      new Set(devices.map(({ id }) => id)),
    );
    const audited = await fixture().query(`SELECT subject FROM audit_log WHERE account_id = $1`, [accountId]);
    expect(audited).toEqual(devices.map(({ id }) => ({ subject: id })));
  });

  test('is refused under the client_ref of another request, but another account may use it', async () => {
    const [accountId, stranger] = [await newAccount(), await newAccount()];
    await request(accountId);
    expect(await request(accountId, { name: 'Other' })).toEqual({ kind: 'client-ref-reused' });
    expect(await request(accountId, { typingMs: 1 })).toEqual({ kind: 'client-ref-reused' });
    expect(await request(stranger)).toMatchObject({ kind: 'created' });
  });

  test('is recognised in a request of the earlier version, with the defaults of that time', async () => {
    const accountId = await newAccount();
    await request(accountId);
    const asked = JSON.stringify(['Shop', 'whatsapp', 20, 2_000, 50, 0, null]);
    const fingerprint = createHash('sha256').update(asked).digest();
    await fixture().query('UPDATE devices SET request_fingerprint = $2 WHERE account_id = $1', [
      accountId,
      fingerprint,
    ]);
    expect(await request(accountId)).toMatchObject({ kind: 'repeated' });
    expect(await request(accountId, { newContactsPerDay: 'automatic' })).toEqual({ kind: 'client-ref-reused' });
  });

  test('is the same with another password of its proxy, but not with another proxy', async () => {
    const accountId = await newAccount();
    await request(accountId, { proxyUrl: 'socks5://me:one@proxy.example:1080' });
    const asked = (proxyUrl: string) => request(accountId, { proxyUrl });
    expect(await asked('socks5://me:two@proxy.example:1080')).toMatchObject({ kind: 'repeated' });
    expect(await asked('socks5://me:one@other.example:1080')).toEqual({ kind: 'client-ref-reused' });
  });

  test('is another device each time without a client_ref', async () => {
    const accountId = await newAccount();
    for (let i = 0; i < 2; i++)
      expect(await request(accountId, { clientRef: null })).toMatchObject({ kind: 'created' });
    expect(await devicesOf(accountId)).toHaveLength(2);
  });

  test('starts with the defaults of WhatsApp or the simulator, or with the given settings', async () => {
    const accountId = await newAccount();
    await request(accountId, { name: 'polite' });
    await request(accountId, { name: 'hasty', network: 'simulator', clientRef: null });
    const said = { pacePerMinute: null, newContactsPerDay: 3, typingMs: 700 };
    const other = await newAccount();
    await request(other, { name: 'as said', clientRef: null, ...said });
    // Compared by name, because devices of the same millisecond may come in either order.
    const made = [...(await devicesOf(accountId)), ...(await devicesOf(other))];
    expect(new Map(made.map(({ name, politeness }) => [name, politeness]))).toEqual(
      new Map([
        ['polite', { pacePerMinute: 20, paceJitterMs: 2_000, newContactsPerDay: 'automatic', typingMs: 0 }],
        ['hasty', { pacePerMinute: null, paceJitterMs: 0, newContactsPerDay: null, typingMs: 0 }],
        ['as said', { ...said, paceJitterMs: 2_000 }],
      ]),
    );
  });

  test("keeps its proxy's password sealed: it is neither shown nor stored nor in the fingerprint", async () => {
    const accountId = await newAccount();
    const canary = 'canary-password';
    await request(accountId, { proxyUrl: `socks5://user:${canary}@proxy.example.com:1080` });
    expect(await request(accountId, { proxyUrl: 'socks5://user:new@proxy.example.com:1080' })).toMatchObject({
      kind: 'repeated',
    });
    const devices = await devicesOf(accountId);
    expect(devices).toMatchObject([{ proxy: 'socks5://user@proxy.example.com:1080' }]);
    const rows = await fixture().query('SELECT * FROM devices WHERE account_id = $1', [accountId]);
    expect(JSON.stringify([rows, devices])).not.toContain(canary);
    expect(rows.map((row) => Buffer.from(Object(row).proxy_sealed).toString('latin1')).join()).not.toContain(canary);
  });
});
