/** A broadcast that waits for its hours or for quota takes few steps, and none of them reads its whole list. */
import type { BroadcastId, SendWindow } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../../test/broadcast-fixture.js';
import { present, type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';
import { changeBroadcast } from '../change-broadcast.js';
import { readDriven } from './drive-broadcast.js';

const fixture = useDatabaseFixture();
const { many, drive, broadcast, running, send } = broadcastsOn(fixture);

const usual: SendWindow = { from: 480, to: 1_260, zone: 'recipient' };
const hourIn = (zone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format());
const zoneOfNight = present(Intl.supportedValuesOf('timeZone').find((zone) => hourIn(zone) >= 22 || hourIn(zone) < 6));

const isDriven = async (id: BroadcastId) => (await readDriven(fixture().database)).includes(id);

async function untilLook(id: BroadcastId): Promise<number> {
  const [row] = await fixture().query<{ ms: number | null }>(
    'SELECT (extract(epoch FROM looks_again_at - now()) * 1000)::float8 AS ms FROM broadcasts WHERE id = $1',
    [id],
  );
  return row?.ms ?? Number.NaN;
}

const look = (id: BroadcastId) =>
  fixture().query(`UPDATE broadcasts SET looks_again_at = now() - interval '2 ms' WHERE id = $1`, [id]);

async function inNight({ accountId }: Tenant, count: number) {
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone, time_zone)
     SELECT 'con_' || $1 || n, $1, ($2::bigint + n)::text, $4 FROM generate_series(0, $3::int - 1) n`,
    [accountId, numberOf(0), count, zoneOfNight],
  );
}

test('in the night, it looks again in a while, and a change lets it look at once', async () => {
  const tenant = await fixture().tenant();
  await inNight(tenant, 3);
  const id = await running(tenant, many(3), { window: usual });
  await drive(id);
  expect(await isDriven(id)).toBe(true);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'window' });
  expect(await untilLook(id)).toBeGreaterThan(60_000);
  expect(await untilLook(id)).toBeLessThan(601_000);
  expect(await isDriven(id)).toBe(false);
  await look(id);
  expect(await isDriven(id)).toBe(true);
  await drive(id);
  expect(await isDriven(id)).toBe(false);
  const change = { window: null, anyHour: true };
  await changeBroadcast(fixture().database, { id, accountId: tenant.accountId }, change, undefined);
  expect(await isDriven(id)).toBe(true);
  await drive(id);
  expect(await send(tenant.holder)).toHaveLength(3);
});

test('rows that are skipped do not count as people whose hours are open', async () => {
  const tenant = await fixture().tenant();
  await inNight(tenant, 2);
  const id = await running(tenant, [...many(2), rowOf(null), rowOf(numberOf(1))], { window: usual });
  expect(await fixture().query('SELECT zones FROM broadcasts WHERE id = $1', [id])).toEqual([{ zones: [zoneOfNight] }]);
});

test('without quota, it looks again after some seconds, and writes nothing else', async () => {
  const tenant = await fixture().tenant({ quota: 1_000 });
  const id = await running(tenant, many(250));
  await drive(id);
  await send(tenant.holder);
  await fixture().query(`UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await drive(id);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'quota', reserved: 0 });
  expect(await untilLook(id)).toBeLessThan(15_000);
  expect(await isDriven(id)).toBe(false);
  await fixture().openPeriod(tenant.accountId, { quota: 60 });
  await look(id);
  expect(await isDriven(id)).toBe(true);
  await drive(id);
  expect(await send(tenant.holder)).toHaveLength(50);
});
