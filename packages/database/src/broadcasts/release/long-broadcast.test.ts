/** A broadcast that lasts for days: each message belongs to the day of its release. */
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf } from '../../../test/broadcast-fixture.js';
import { present, useDatabaseFixture } from '../../../test/database-fixture.js';
import { countDeviceDays } from '../../devices/health/count-device-days.js';
import { readDeviceHealth } from '../../devices/health/read-health.js';

const fixture = useDatabaseFixture();
const { many, drive, send, rows, running } = broadcastsOn(fixture);
const { signal } = new AbortController();

test('the health of its device counts what it sends on a later day', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(5));
  await fixture().query(`UPDATE broadcasts SET round_at = now() - interval '3 days' WHERE id = $1`, [id]);
  await drive(id);
  await send(tenant.holder);
  await countDeviceDays(fixture().database, signal, { freshForMs: 0 });
  const health = await readDeviceHealth(fixture().database, tenant.accountId, tenant.deviceId);
  const sent = present(health?.days).reduce((sum, day) => sum + day.sent, 0);
  expect(sent).toBe(5);
});

test('a message that was released, lost and released again on one day is the same one', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(2));
  await fixture().query(`UPDATE broadcasts SET round_at = now() - interval '3 days' WHERE id = $1`, [id]);
  await drive(id);
  const before = await rows(id);
  // A standby took over that did not have the release yet.
  await fixture().query('DELETE FROM message_contents WHERE message_id = ANY ($1::text[])', [
    before.map((row) => row.message_id),
  ]);
  await fixture().query('DELETE FROM messages WHERE broadcast_id = $1', [id]);
  await fixture().query('UPDATE broadcast_recipients SET state = 0, message_id = NULL WHERE broadcast_id = $1', [id]);
  await fixture().query(
    `UPDATE broadcasts b SET reservations = jsonb_build_array(jsonb_build_object('periodId', p.id, 'count', 2))
     FROM subscription_periods p WHERE p.account_id = b.account_id AND b.id = $1`,
    [id],
  );
  await fixture().query(
    'UPDATE subscription_periods SET reserved_quota = 2, taken_quota = taken_quota - 2 WHERE account_id = $1',
    [tenant.accountId],
  );
  await drive(id);
  expect((await rows(id)).map((row) => row.message_id)).toEqual(before.map((row) => row.message_id));
  expect(await send(tenant.holder)).toEqual([numberOf(0), numberOf(1)]);
});
