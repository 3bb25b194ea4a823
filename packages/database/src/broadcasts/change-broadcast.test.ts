/** New hours of a broadcast that has started. */
import type { SendWindow } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../test/broadcast-fixture.js';
import { present, useDatabaseFixture } from '../../test/database-fixture.js';
import { moveToNextHours } from '../recipients/move-to-next-hours.js';
import { type BroadcastChange, changeBroadcast } from './change-broadcast.js';
import { checkBroadcast } from './check-broadcast.js';

const fixture = useDatabaseFixture();
const { many, drive, rows, ready, running, start } = broadcastsOn(fixture);

const hourIn = (zone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format());
const zoneOfDay = present(Intl.supportedValuesOf('timeZone').find((zone) => hourIn(zone) >= 10 && hourIn(zone) < 18));

const usual: SendWindow = { from: 480, to: 1_260, zone: 'recipient' };
const night: SendWindow = { from: 0, to: 1_440, zone: 'recipient' };

const change = (accountId: Parameters<typeof changeBroadcast>[1]['accountId'], id: string, changes: BroadcastChange) =>
  changeBroadcast(fixture().database, { id: id as never, accountId }, changes, undefined);

describe('marketing at night', () => {
  test.each([[null], [night], [{ ...usual, from: 479 }], [{ ...usual, to: 1_261 }]])(
    'the window %j needs a confirmation',
    async (window) => {
      const tenant = await fixture().tenant();
      const id = await ready(tenant, many(1), { window });
      expect(await start(tenant, id, false)).toEqual({ kind: 'unconfirmed' });
      expect(await start(tenant, id, true)).toEqual({ kind: 'done' });
      await change(tenant.accountId, id, { window: usual });
      expect(await change(tenant.accountId, id, { window })).toBe('unconfirmed');
      expect(await change(tenant.accountId, id, { window, anyHour: true })).toBe('changed');
    },
  );

  test('other changes need none, nor do other categories, nor does a broadcast before its start', async () => {
    const tenant = await fixture().tenant();
    const marketing = await running(tenant, many(1), { window: null });
    expect(await change(tenant.accountId, marketing, { pacePerMinute: 60 })).toBe('changed');
    const bills = await running(tenant, many(1), { window: usual, category: 'transactional' });
    expect(await change(tenant.accountId, bills, { window: null })).toBe('changed');
    const later = await ready(tenant, many(1), { window: usual });
    expect(await change(tenant.accountId, later, { window: null })).toBe('changed');
    expect(await start(tenant, later, false)).toEqual({ kind: 'unconfirmed' });
  });

  test('a message that is being sent gets the new hours, too', async () => {
    const tenant = await fixture().tenant();
    await fixture().query(`INSERT INTO contacts (id, account_id, phone, time_zone) VALUES ('con_' || $1, $1, $2, $3)`, [
      tenant.accountId,
      numberOf(0),
      zoneOfDay,
    ]);
    const id = await running(tenant, many(1));
    await drive(id);
    expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed' });
    const hours = async () => {
      const [row] = await fixture().query<{ open: boolean | null }>(
        `SELECT window_closes_at > now() AS open FROM messages WHERE id = $1 AND status = 'sending'`,
        [present((await rows(id))[0]).message_id],
      );
      return present(row).open;
    };
    expect(await hours()).toBeNull();
    await change(tenant.accountId, id, { window: usual });
    expect(await hours()).toBe(true);
    await change(tenant.accountId, id, { window: { ...usual, from: 1_320, to: 1_380 }, anyHour: true });
    expect(await hours()).toBe(false);
    await change(tenant.accountId, id, { window: null, anyHour: true });
    expect(await hours()).toBeNull();
  });
});

test('a sweep that found hours for the earlier window does not give them to messages', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(1), { window: night });
  await drive(id);
  const { database } = fixture();
  await fixture().query(`UPDATE messages SET window_closes_at = now() - interval '1 second' WHERE broadcast_id = $1`, [
    id,
  ]);
  const changing = await database.pool.connect();
  // As a change does that began before the sweep and ends after it has read.
  await changing.query('BEGIN');
  await changing.query('UPDATE broadcasts SET window_from = NULL, window_to = NULL, window_zone = NULL WHERE id = $1', [
    id,
  ]);
  await changing.query(
    'UPDATE messages SET window_opens_at = now(), window_closes_at = now() WHERE broadcast_id = $1',
    [id],
  );
  const sweeping = moveToNextHours(database);
  const isBlocked = async () =>
    (
      await fixture().query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length > 0;
  await waitUntil(isBlocked, { what: 'the sweep waits for the change' });
  await changing.query('COMMIT');
  changing.release();
  expect(await sweeping).toBe(0);
  expect(await moveToNextHours(database)).toBe(1);
  expect(await fixture().query('SELECT window_closes_at FROM messages WHERE broadcast_id = $1', [id])).toEqual([
    { window_closes_at: null },
  ]);
});

describe('a window with no open hour for some people', () => {
  const afternoon: SendWindow = { from: 720, to: 960, zone: 'recipient' };
  // Numbers of the United States, whose zones have no afternoon in common.
  const americans = ['12025550123', '12025550124'].map((phone) => rowOf(phone));

  test('is refused after the start, and nobody is skipped', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, [...americans, ...many(3)], { window: usual });
    expect(await change(tenant.accountId, id, { window: afternoon })).toEqual({ leavesOut: 2 });
    await drive(id);
    expect((await rows(id)).filter(({ state }) => state === 1)).toEqual([]);
    expect(await change(tenant.accountId, id, { window: { ...afternoon, zone: 'account' } })).toBe('changed');
  });

  test('is refused if it would keep messages that wait for ever', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, americans);
    await drive(id);
    expect(await change(tenant.accountId, id, { window: afternoon })).toEqual({ leavesOut: 2 });
  });

  test('may be changed to another one that leaves out no more people', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, [...americans, ...many(3)], { window: afternoon });
    expect(await change(tenant.accountId, id, { window: { ...afternoon, to: 970 } })).toBe('changed');
  });

  test('is counted by the check', async () => {
    const tenant = await fixture().tenant();
    const id = await ready(tenant, [...americans, ...many(3)], { window: afternoon });
    const { database, accountKeys } = fixture();
    const check = () => checkBroadcast(database, accountKeys, { id, accountId: tenant.accountId });
    expect(await check()).toMatchObject({ neverOpen: 2 });
    expect(await change(tenant.accountId, id, { window: usual })).toBe('changed');
    expect(await check()).toMatchObject({ neverOpen: 0 });
  });
});
