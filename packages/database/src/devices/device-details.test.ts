import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createSealer } from '../postgres/sealer.js';
import { writeAccountLimits } from '../sessions/device-session.js';
import { readDeviceDetails } from './device-details.js';
import { changeDevice, type DeviceChanges } from './device-settings.js';

const fixture = useDatabaseFixture();
const sealer = createSealer(createSecretKey(randomBytes(32)));
const hourMs = 3_600_000;

async function detailsOf({ accountId, deviceId }: Tenant) {
  const details = await readDeviceDetails(fixture().database, sealer, accountId, deviceId);
  if (details === null) throw new Error('the device is gone');
  return details;
}

const change = ({ accountId, deviceId }: Tenant, changes: DeviceChanges) =>
  changeDevice(fixture().database, sealer, accountId, deviceId, changes);

/** Notes new contacts that the device wrote to this many hours ago. */
async function wrote({ deviceId }: Tenant, ...hoursAgo: number[]): Promise<void> {
  for (const hours of hoursAgo)
    await fixture().query(
      `INSERT INTO device_contacts (device_id, recipient, wrote_at) VALUES ($1, $2, now() - make_interval(hours => $3))`,
      [deviceId, `628${randomBytes(5).readUIntBE(0, 5)}`, hours],
    );
}

describe('the shown state of new contacts', () => {
  test('shows no wait for a device without a limit', async () => {
    const tenant = await fixture().tenant();
    await wrote(tenant, 1, 30);
    expect((await detailsOf(tenant)).newContacts).toEqual({
      waiting: null,
      allowance: null,
      usedToday: 1,
      left: null,
      warning: 'none',
      isLoose: false,
      pausesUntil: null,
      networkQuota: null,
    });
  });

  test('shows a daily limit until the oldest contact is a day old', async () => {
    const tenant = await fixture().tenant();
    await wrote(tenant, 20, 5, 1);
    await change(tenant, { newContactsPerDay: 2 });
    const { waiting, usedToday } = (await detailsOf(tenant)).newContacts;
    expect([waiting?.reason, usedToday]).toEqual(['daily_limit', 3]);
    const inHours = ((waiting?.until?.getTime() ?? 0) - Date.now()) / hourMs;
    expect(inHours).toBeGreaterThan(18.9);
    expect(inHours).toBeLessThan(19.1);
    await change(tenant, { newContactsPerDay: 4 });
    expect((await detailsOf(tenant)).newContacts.waiting).toBeNull();
    await change(tenant, { newContactsPerDay: 0 });
    expect((await detailsOf(tenant)).newContacts.waiting).toEqual({ reason: 'daily_limit', until: null });
  });

  test("shows the network's reason, end and quota; of two limits, the one that ends last", async () => {
    const tenant = await fixture().tenant();
    const blockedUntil = new Date(Date.now() + hourMs);
    const resetsAt = new Date(Date.now() + 100 * hourMs);
    await writeAccountLimits(fixture().database, tenant.holder, {
      newContacts: { blockedUntil, reason: 'too_many_strangers' },
      newChatQuota: { used: 7, total: 10, resetsAt },
    });
    expect((await detailsOf(tenant)).newContacts).toMatchObject({
      waiting: { reason: 'too_many_strangers', until: blockedUntil },
      networkQuota: { used: 7, total: 10, resetsAt },
    });
    await wrote(tenant, 1);
    await change(tenant, { newContactsPerDay: 1 });
    expect((await detailsOf(tenant)).newContacts.waiting?.reason).toBe('daily_limit');
  });
});

describe('a change', () => {
  test('keeps absent fields, and finds no device of another account', async () => {
    const [tenant, stranger] = [await fixture().tenant(), await fixture().tenant()];
    await change(tenant, { pacePerMinute: 30, proxyUrl: 'http://user:secret@127.0.0.1:3128' });
    await change(tenant, { name: 'Shop', typingMs: 500 });
    expect(await detailsOf(tenant)).toMatchObject({
      name: 'Shop',
      politeness: { pacePerMinute: 30, typingMs: 500 },
      proxy: 'http://user@127.0.0.1:3128',
    });
    await change(tenant, { proxyUrl: null, pacePerMinute: null });
    expect(await detailsOf(tenant)).toMatchObject({ proxy: null, politeness: { pacePerMinute: null, typingMs: 500 } });
    expect(await change({ ...tenant, accountId: stranger.accountId }, { name: 'stolen' })).toBe(false);
    expect((await detailsOf(tenant)).name).toBe('Shop');
  });

  test('a proxy that cannot be opened is shown as unreadable', async () => {
    const tenant = await fixture().tenant();
    await change(tenant, { proxyUrl: 'http://127.0.0.1:3128' });
    await fixture().query(`UPDATE devices SET proxy_sealed = '\\x00' WHERE id = $1`, [tenant.deviceId]);
    expect((await detailsOf(tenant)).proxy).toBe('unreadable');
  });
});
