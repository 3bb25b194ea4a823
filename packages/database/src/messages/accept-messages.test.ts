import { createHash } from 'node:crypto';
import { newId, textContent } from '@kurir/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptancesOn, accepted, refused } from '../../test/acceptance-fixture.js';
import { again, bulkOf, copies, messageOf, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { acceptTogether } from './accept-messages.js';
import { readForRetry } from './read-messages.js';

const fixture = useDatabaseFixture();

/** The database of another api process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
});
afterAll(() => other.close());

const { accept, endPlan, endQuota, setDevice } = acceptancesOn(fixture);

describe('a refused message', () => {
  test.each<[string, string, (tenant: Tenant) => Promise<unknown>, (tenant: Tenant) => Promise<unknown>]>([
    [
      'the quota',
      'QUOTA_EXHAUSTED',
      (t) => endQuota(t.accountId),
      (t) => fixture().openPeriod(t.accountId, { quota: 5 }),
    ],
    ['the plan', 'PLAN_EXPIRED', (t) => endPlan(t.accountId), (t) => fixture().openPeriod(t.accountId, { quota: 5 })],
    [
      'the connection',
      'DEVICE_NOT_CONNECTED',
      (t) => setDevice(t.deviceId, `state = 'disconnected'`),
      (t) => setDevice(t.deviceId, `state = 'connected'`),
    ],
  ])('leaves no request key: the same request succeeds when %s is back', async (_what, code, take, giveBack) => {
    const tenant = await fixture().tenant();
    await take(tenant);
    const message = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(message)).toEqual(refused(code));
    expect(await fixture().keysLeft(tenant)).toBe(0);
    expect(await fixture().count('messages', tenant.accountId)).toBe(0);
    await giveBack(tenant);
    expect(await accept(again(message))).toEqual(accepted);
  });

  test('takes no quota and does not prevent the others of its bulk', async () => {
    const tenant = await fixture().tenant({ quota: 2 });
    const outcomes = await acceptTogether(fixture().database, fixture().accountKeys, bulkOf(tenant, [{}, {}, {}, {}]));
    expect(outcomes).toEqual([accepted, accepted, refused('QUOTA_EXHAUSTED'), refused('QUOTA_EXHAUSTED')]);
    expect(await fixture().taken(tenant.accountId)).toEqual([2]);
    expect(await fixture().keysLeft(tenant)).toBe(2);
  });
});

describe('quota', () => {
  test('is taken from the open period that ends first, then from the next', async () => {
    const tenant = await fixture().tenant({ quota: 10 });
    await fixture().openPeriod(tenant.accountId, { quota: 2, endsInHours: 1 });
    await fixture().openPeriod(tenant.accountId, { quota: 9, endsInHours: -1 });
    await fixture().accept(tenant, [{}, {}, {}]);
    expect(await fixture().taken(tenant.accountId)).toEqual([0, 2, 1]);
  });

  test('of an unlimited plan is never counted', async () => {
    const tenant = await fixture().tenant({ quota: null });
    await fixture().accept(tenant, copies(20));
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test('is taken from the period that ends first, limited or not', async () => {
    const [unlimitedFirst, limitedFirst] = [await fixture().tenant(), await fixture().tenant({ quota: null })];
    await fixture().openPeriod(unlimitedFirst.accountId, { quota: null, endsInHours: 1 });
    await fixture().openPeriod(limitedFirst.accountId, { quota: 1, endsInHours: 1 });
    for (const tenant of [unlimitedFirst, limitedFirst]) await fixture().accept(tenant, [{}, {}]);
    expect(await fixture().taken(unlimitedFirst.accountId)).toEqual([0, 0]);
    expect(await fixture().taken(limitedFirst.accountId)).toEqual([1, 0]);
  });

  test('of a period that has not begun is not used', async () => {
    const tenant = await fixture().tenant();
    await fixture().query(
      `UPDATE subscription_periods SET starts_at = now() + interval '1 minute' WHERE account_id = $1`,
      [tenant.accountId],
    );
    expect(await accept(messageOf(tenant))).toEqual(refused('PLAN_EXPIRED'));
  });
});

describe('a device', () => {
  test.each([
    ['unknown', () => newId('dev')],
    ['of another account', async () => (await fixture().tenant()).deviceId],
    ['with a name that could never be an id', () => `dev_' OR 1=1`],
  ])('%s does not exist', async (_what, find) => {
    const tenant = await fixture().tenant();
    const deviceId = (await find()) as Tenant['deviceId'];
    expect(await accept(messageOf(tenant, {}, { deviceId }))).toEqual(refused('DEVICE_NOT_FOUND'));
  });

  test.each([
    [true, 'is connected', `state = 'connected'`, '1 minute'],
    [true, `is connected and its holder died half a minute ago`, `state = 'connected'`, '-30 seconds'],
    [false, 'is connected and its holder died long ago', `state = 'connected'`, '-61 seconds'],
    [
      true,
      'is reconnecting since 50 s',
      `state = 'connecting', last_connected_at = now() - interval '50 s'`,
      '1 minute',
    ],
    [
      false,
      'is reconnecting since 61 s',
      `state = 'connecting', last_connected_at = now() - interval '61 s'`,
      '1 minute',
    ],
    [false, 'never was connected', `state = 'connecting', last_connected_at = NULL`, '1 minute'],
    [false, 'is to be unlinked', `desired_state = 'unlinked'`, '1 minute'],
    [false, 'is not linked', `linked = false`, '1 minute'],
    [false, 'is banned', `state = 'banned'`, '1 minute'],
    [false, 'has a network of a newer version', `network = 'of a newer version'`, '1 minute'],
  ])('accepts sends: %s, when it %s', async (accepts, _what, change, lease) => {
    const tenant = await fixture().tenant();
    await setDevice(tenant.deviceId, change);
    await fixture().query(`UPDATE device_leases SET expires_at = now() + $2::interval WHERE device_id = $1`, [
      tenant.deviceId,
      lease,
    ]);
    expect(await accept(messageOf(tenant))).toEqual(accepts ? accepted : refused('DEVICE_NOT_CONNECTED'));
  });
});

describe('a stored message', () => {
  test('keeps its place in a bulk of 1,000', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(
      tenant,
      Array.from({ length: 1_000 }, (_, i) => ({ text: `message ${i}` })),
    );
    await acceptTogether(fixture().database, fixture().accountKeys, bulk);
    const stored = await fixture().query<{ id: string }>('SELECT id FROM messages WHERE account_id = $1 ORDER BY seq', [
      tenant.accountId,
    ]);
    expect(stored.map((row) => row.id)).toEqual(bulk.map((message) => message.id));
  });

  test('has the requested fields, and a network id that is derived from its own id', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() + 60_000);
    const text = ' 😀\u0001 e\u0301\r\n';
    const message = messageOf(tenant, { text, priority: 'otp', clientRef: 'é', ttlSeconds: 30, sendAt });
    await acceptTogether(fixture().database, fixture().accountKeys, [message]);
    const digest = createHash('sha256').update(`v1|${message.id}`).digest('hex').slice(0, 18).toUpperCase();
    expect(await fixture().query('SELECT * FROM messages WHERE id = $1', [message.id])).toMatchObject([
      {
        body: '',
        priority: 0,
        client_ref: 'é',
        status: 'queued',
        attempts: 0,
        send_at: sendAt,
        network_message_id: `3EB0${digest}`,
        expires_at: new Date(sendAt.getTime() + 30_000),
        account_id: tenant.accountId,
        key_id: tenant.keyId,
      },
    ]);
    const kept = await readForRetry(fixture().database, fixture().accountKeys, tenant.accountId, message.id);
    expect(kept?.content).toEqual(textContent(text));
  });

  test('expires by its time of acceptance when the clock of its send_at is a little late', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() - 45_000);
    const [stored] = await fixture().accept(tenant, [{ sendAt, ttlSeconds: 30 }]);
    const [row] = await fixture().query<{ at: Date }>('SELECT expires_at AS at FROM messages WHERE id = $1', [
      stored?.messageId,
    ]);
    expect(row?.at.getTime()).toBeGreaterThan(Date.now() + 25_000);
  });

  test('does not exist when send_at is in the past', async () => {
    const tenant = await fixture().tenant();
    expect(await accept(messageOf(tenant, { sendAt: new Date(Date.now() - 65_000) }))).toEqual(
      refused('INVALID_REQUEST'),
    );
    expect(await fixture().keysLeft(tenant)).toBe(0);
  });
});
