import { describe, expect, test } from 'vitest';
import { broadcastsOn } from '../../../test/broadcast-fixture.js';
import { present, type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';

const fixture = useDatabaseFixture();
const { ready, running, many, drive, send, broadcast, statuses, start, cancel } = broadcastsOn(fixture);

/** The periods that end first come first: taken, set aside. */
const periods = async ({ accountId }: Tenant) =>
  (
    await fixture().query<{ taken: number; reserved: number }>(
      `SELECT taken_quota AS taken, reserved_quota AS reserved FROM subscription_periods WHERE account_id = $1 ORDER BY ends_at`,
      [accountId],
    )
  ).map(({ taken, reserved }) => [taken, reserved]);

/** Renewed early, so two periods are open. */
async function renewed(quotas: readonly (number | null)[]): Promise<Tenant> {
  const tenant = await fixture().tenant({ quota: present(quotas[0]) });
  for (const [i, quota] of quotas.slice(1).entries()) {
    await fixture().openPeriod(tenant.accountId, { quota, endsInHours: 1_000 + i });
  }
  return tenant;
}

describe('with two open periods', () => {
  test('a list that needs both starts, and each pays its part', async () => {
    const tenant = await renewed([60, 100]);
    const id = await running(tenant, many(150));
    expect(await periods(tenant)).toEqual([
      [0, 60],
      [0, 90],
    ]);
    await drive(id);
    await send(tenant.holder);
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'finished', reserved: 0 });
    expect(await periods(tenant)).toEqual([
      [60, 0],
      [90, 0],
    ]);
    expect(
      await fixture().query(
        `SELECT count(*)::int AS n FROM messages WHERE broadcast_id = $1 GROUP BY period_id ORDER BY 1`,
        [id],
      ),
    ).toEqual([{ n: 60 }, { n: 90 }]);
  });

  test('a longer list is refused with the sum, and sets nothing aside', async () => {
    const tenant = await renewed([60, 100]);
    const id = await ready(tenant, many(161));
    expect(await start(tenant, id)).toEqual({ kind: 'refused', code: 'QUOTA_EXHAUSTED', needed: 161, remaining: 160 });
    expect(await periods(tenant)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('cancelling gives the rest back to both', async () => {
    const tenant = await renewed([250, 100]);
    const id = await running(tenant, many(300));
    await drive(id);
    expect(await periods(tenant)).toEqual([
      [200, 50],
      [0, 50],
    ]);
    await cancel(tenant, id);
    await drive(id);
    expect(await periods(tenant)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('an unlimited one pays for the rest', async () => {
    const tenant = await renewed([60, null]);
    const id = await running(tenant, many(100));
    expect(await periods(tenant)).toEqual([
      [0, 60],
      [0, 0],
    ]);
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 100 });
    expect(await periods(tenant)).toEqual([
      [60, 0],
      [0, 0],
    ]);
  });
});

test('when one ends before its part is used, the rest is set aside in the others, as far as they suffice', async () => {
  const tenant = await renewed([250, 20, 40]);
  const id = await running(tenant, many(300));
  await drive(id);
  expect(await periods(tenant)).toEqual([
    [200, 50],
    [0, 20],
    [0, 30],
  ]);
  await send(tenant.holder);
  await fixture().query(
    `UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1 AND taken_quota = 200`,
    [tenant.accountId],
  );
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'quota', reserved: 0 });
  expect(await periods(tenant)).toEqual([
    [200, 0],
    [0, 0],
    [0, 0],
  ]);
  await fixture().openPeriod(tenant.accountId, { quota: 40, endsInHours: 2_000 });
  await drive(id);
  expect(await statuses(id)).toEqual({ sent: 200, queued: 100 });
  expect(await periods(tenant)).toEqual([
    [200, 0],
    [20, 0],
    [40, 0],
    [40, 0],
  ]);
});
