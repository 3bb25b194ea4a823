/** The rules that keep a broadcast from annoying people: its hours, its most messages a person, and its guards. */
import { countries, zonesOfCountry } from '@kurir/phone-numbers';
import { describe, expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../../test/broadcast-fixture.js';
import { present, type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';
import { moveToNextHours } from '../../recipients/move-to-next-hours.js';
import { wakeMessages } from '../../messages/sweep-messages.js';
import { suppress } from '../../suppressions/suppress.js';
import { changeBroadcast } from '../change-broadcast.js';
import { checkBroadcast } from '../check-broadcast.js';

const fixture = useDatabaseFixture();
const { many, drive, send, ready, rows, broadcast, statuses, resume, running } = broadcastsOn(fixture);

const hourIn = (zone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format());
const zones = Intl.supportedValuesOf('timeZone');
const zoneOfDay = present(zones.find((zone) => hourIn(zone) >= 10 && hourIn(zone) < 18));
const zoneOfNight = present(zones.find((zone) => hourIn(zone) >= 22 || hourIn(zone) < 6));
const daytime = { from: 8 * 60, to: 21 * 60, zone: 'recipient' } as const;

/** The people 0, 2, 4 … live where it is day, and the others where it is night. */
async function giveZones({ accountId }: Tenant, count: number) {
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone, time_zone)
     SELECT 'con_' || $1 || n, $1, ($2::bigint + n)::text, CASE n % 2 WHEN 0 THEN $4 ELSE $5 END FROM generate_series(0, $3::int - 1) n`,
    [accountId, numberOf(0), count, zoneOfDay, zoneOfNight],
  );
}

describe('the hours of a broadcast', () => {
  test('those in the day get it, the broadcast pauses, and goes on for the others', async () => {
    const tenant = await fixture().tenant();
    await giveZones(tenant, 10);
    const id = await running(tenant, many(10), { window: daytime });
    await drive(id);
    expect(await send(tenant.holder)).toEqual([0, 2, 4, 6, 8].map(numberOf));
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'window' });
    await fixture().query(`UPDATE broadcast_recipients SET zone = $2 WHERE broadcast_id = $1`, [id, zoneOfDay]);
    await drive(id);
    expect(await send(tenant.holder)).toEqual([1, 3, 5, 7, 9].map(numberOf));
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'finished' });
  });

  test('a list that begins with people in the night does not stop the others', async () => {
    const tenant = await fixture().tenant({ quota: 3_000 });
    await giveZones(tenant, 3_000);
    const inNight = Array.from({ length: 1_500 }, (_, i) => rowOf(numberOf(2 * i + 1)));
    const id = await running(tenant, [...inNight, ...[0, 2, 4].map((i) => rowOf(numberOf(i)))], { window: daytime });
    await drive(id);
    expect(await send(tenant.holder)).toEqual([0, 2, 4].map(numberOf));
  });

  test('what waits when the hours end goes out in the next ones', async () => {
    const tenant = await fixture().tenant();
    await giveZones(tenant, 2);
    const id = await running(tenant, [rowOf(numberOf(0))], { window: daytime });
    await drive(id);
    const over = `window_opens_at = now() - interval '9 hours', window_closes_at = now() - interval '1 s'`;
    await fixture().query(`UPDATE messages SET ${over} WHERE broadcast_id = $1`, [id]);
    expect(await send(tenant.holder)).toEqual([]);
    expect(await moveToNextHours(fixture().database)).toBe(1);
    await wakeMessages(fixture().database);
    expect(await send(tenant.holder)).toEqual([numberOf(0)]);
  });

  test('a new window holds what waits, and no window lets it go', async () => {
    const tenant = await fixture().tenant();
    await giveZones(tenant, 2);
    const id = await running(tenant, [rowOf(numberOf(1))]);
    await drive(id);
    const whose = { id, accountId: tenant.accountId };
    const { database } = fixture();
    await changeBroadcast(database, whose, { window: daytime }, undefined);
    expect(await send(tenant.holder)).toEqual([]);
    await moveToNextHours(database);
    await wakeMessages(database);
    expect(await send(tenant.holder)).toEqual([]);
    await changeBroadcast(database, whose, { window: null, anyHour: true }, undefined);
    await moveToNextHours(database);
    await wakeMessages(database);
    expect(await send(tenant.holder)).toEqual([numberOf(1)]);
  });

  test('a person for whom no hour is open is skipped with the reason', async () => {
    const tenant = await fixture().tenant();
    // A number of the United States, whose zones have no noon in common.
    const id = await running(tenant, [rowOf('12025550123')], { window: { from: 720, to: 780, zone: 'recipient' } });
    await drive(id);
    expect((await rows(id))[0]).toMatchObject({ state: 1, skip_reason: 'no_open_hour' });
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'finished' });
  });

  test('a list of an earlier version, which has no zones, has the hours of the account', async () => {
    const tenant = await fixture().tenant();
    const countryOf = (isOpen: (zone: string) => boolean) =>
      present(countries.find((country) => zonesOfCountry(country).every(isOpen)));
    const night = countryOf((zone) => hourIn(zone) >= 22 || hourIn(zone) < 6);
    const day = countryOf((zone) => hourIn(zone) >= 10 && hourIn(zone) < 18);
    const move = (country: string) =>
      fixture().query('UPDATE accounts SET country = $2 WHERE id = $1', [tenant.accountId, country]);
    await move(night);
    const id = await running(tenant, many(2), { window: daytime });
    await fixture().query(`UPDATE broadcast_recipients SET zone = '' WHERE broadcast_id = $1`, [id]);
    await fixture().query(`UPDATE broadcasts SET zones = '{""}' WHERE id = $1`, [id]);
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'window' });
    await move(day);
    await drive(id);
    expect(await send(tenant.holder)).toHaveLength(2);
  });

  test('the hours of the account are those of its country, for all recipients', async () => {
    const tenant = await fixture().tenant();
    await giveZones(tenant, 2);
    await fixture().query(`UPDATE accounts SET country = 'KE' WHERE id = $1`, [tenant.accountId]);
    const minute = (hourIn('Africa/Nairobi') + 12) % 24;
    const window = {
      from: Math.min(minute * 60, 1_380),
      to: Math.min(minute * 60, 1_380) + 60,
      zone: 'account',
    } as const;
    const id = await running(tenant, many(2), { window });
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'window' });
    await changeBroadcast(
      fixture().database,
      { id, accountId: tenant.accountId },
      { window: { from: 0, to: 1_440, zone: 'account' }, anyHour: true },
      undefined,
    );
    await drive(id);
    expect(await send(tenant.holder)).toHaveLength(2);
  });
});

describe('the most marketing messages a person and day', () => {
  test('a second broadcast skips them, and a failed message does not count', async () => {
    const tenant = await fixture().tenant();
    const first = await running(tenant, many(2), { maxPerDay: 1 });
    await drive(first);
    await send(tenant.holder);
    await fixture().query(`UPDATE messages SET status = 'failed' WHERE recipient = $1`, [numberOf(1)]);
    const second = await running(tenant, many(3), { maxPerDay: 1 });
    await drive(second);
    expect((await rows(second)).map(({ skip_reason }) => skip_reason)).toEqual(['too_often', null, null]);
    expect(await send(tenant.holder)).toEqual([numberOf(1), numberOf(2)]);
  });

  test('the check counts them, at the time of the broadcast', async () => {
    const tenant = await fixture().tenant();
    const first = await running(tenant, many(2), { maxPerDay: 1 });
    await drive(first);
    await send(tenant.holder);
    const check = async (more: { sendAt?: Date } = {}) => {
      const id = await ready(tenant, many(3), { maxPerDay: 1, ...more });
      const { database, accountKeys } = fixture();
      return (await checkBroadcast(database, accountKeys, { id, accountId: tenant.accountId }))?.tooOften;
    };
    expect(await check()).toBe(2);
    expect(await check({ sendAt: new Date(Date.now() + 25 * 3_600_000) })).toBe(0);
  });

  test('messages of test keys count for broadcasts of test keys only', async () => {
    const tenant = await fixture().tenant();
    const ofTests = await running(tenant, many(2), { maxPerDay: 1 });
    await fixture().query(`UPDATE broadcasts SET created_by = 'kk_test_1' WHERE id = $1`, [ofTests]);
    await drive(ofTests);
    const reasonsOf = async (id: Awaited<typeof ofTests>) => (await rows(id)).map(({ skip_reason }) => skip_reason);
    const live = await running(tenant, many(2), { maxPerDay: 1 });
    await drive(live);
    expect(await reasonsOf(live)).toEqual([null, null]);
    const again = await running(tenant, many(2), { maxPerDay: 1 });
    await fixture().query(`UPDATE broadcasts SET created_by = 'kk_test_1' WHERE id = $1`, [again]);
    await drive(again);
    expect(await reasonsOf(again)).toEqual(['too_often', 'too_often']);
  });

  test('a message counts from the time when it went out, and while it waits', async () => {
    const tenant = await fixture().tenant();
    const first = await running(tenant, many(2), { maxPerDay: 1 });
    await drive(first);
    // The device was away until now.
    const old = `created_at = now() - interval '3 days'`;
    await fixture().query(`UPDATE messages SET ${old} WHERE broadcast_id = $1`, [first]);
    const reasons = async () => {
      const id = await running(tenant, many(2), { maxPerDay: 1 });
      await drive(id);
      return (await rows(id)).map(({ skip_reason }) => skip_reason);
    };
    expect(await reasons()).toEqual(['too_often', 'too_often']);
    await send(tenant.holder);
    expect(await reasons()).toEqual(['too_often', 'too_often']);
    await fixture().query(
      `UPDATE messages SET tried_at = now() - interval '25 hours' WHERE broadcast_id = $1 AND recipient = $2`,
      [first, numberOf(0)],
    );
    expect(await reasons()).toEqual([null, 'too_often']);
  });

  test('two broadcasts that release at once write to each person once', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const ids = [
      await running(tenant, many(100), { maxPerDay: 1 }),
      await running(tenant, many(100), { maxPerDay: 1 }),
    ];
    await Promise.all(ids.map(drive));
    expect(await send(tenant.holder)).toHaveLength(100);
  });

  test('transactional broadcasts are not limited', async () => {
    const tenant = await fixture().tenant();
    for (let i = 0; i < 2; i += 1) {
      const id = await running(tenant, many(1), { maxPerDay: 1, category: 'transactional' });
      await drive(id);
      expect(await send(tenant.holder)).toHaveLength(1);
    }
  });
});

describe('the guards', () => {
  /** Sends the next messages, of which these fail. */
  async function end(id: string, tenant: Tenant, count: number, fails: (i: number) => boolean) {
    await drive(id as Parameters<typeof drive>[0]);
    const sent: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const outcome = await fixture().claim(tenant.holder);
      if (outcome.kind !== 'claimed') break;
      sent.push(outcome.message.recipient);
      const ended = fails(i) ? `status = 'failed', reason = 'rejected_by_network'` : `status = 'sent'`;
      await fixture().change(outcome.message.id, ended);
    }
    await drive(id as Parameters<typeof drive>[0]);
    return sent;
  }

  test('a tenth failure among fifty pauses the broadcast, and nothing more goes out', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const id = await running(tenant, many(300), { guardFailed: 20 });
    await end(id, tenant, 45, (i) => i % 5 === 0);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    await end(id, tenant, 1, () => true);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'guard' });
    expect(await fixture().query(`SELECT tripped FROM broadcasts WHERE id = $1`, [id])).toEqual([
      { tripped: { what: 'failed', count: 10, deviceId: tenant.deviceId } },
    ]);
    expect(await send(tenant.holder)).toEqual([]);
  });

  test('failures that are spread wider do not', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const id = await running(tenant, many(200), { guardFailed: 20 });
    await end(id, tenant, 150, (i) => i % 6 === 0);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    expect((await statuses(id))['failed']).toBe(25);
  });

  test('each device counts alone', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const second = await fixture().device(tenant.accountId);
    const devices = [tenant.deviceId, second.deviceId];
    const id = await running(tenant, many(200), { guardFailed: 20, deviceIds: devices });
    await end(id, tenant, 9, () => true);
    await end(id, { ...tenant, holder: second }, 9, () => true);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    await end(id, { ...tenant, holder: second }, 1, () => true);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'guard' });
  });

  test('two of fifty who opt out pause it, and somebody who resumes begins anew', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const id = await running(tenant, many(200), { guardOptedOut: 3 });
    const optOut = (phone: string) =>
      suppress(
        fixture().database,
        fixture().accountKeys,
        { accountId: tenant.accountId, phones: [phone], scope: 'marketing', reason: 'keyword', actor: null },
        undefined,
      );
    const sent = await end(id, tenant, 20, () => false);
    await optOut(present(sent[3]));
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    await optOut(present(sent[4]));
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'guard' });
    await resume(tenant, id);
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    expect(await send(tenant.holder)).not.toHaveLength(0);
  });
});
