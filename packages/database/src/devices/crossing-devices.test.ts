/**
 * Claims that meet another change of their device, on two connections: a changed pace, and a message that begins late.
 */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useCrossing, type Work } from '../../test/crossing-fixture.js';
import { copies, present, sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createClaimer } from '../messages/claim-message.js';
import { capPace } from './device-pace.js';
import { changeDevice } from './device-settings.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);

async function accept(tenant: Tenant, count: number): Promise<MessageId[]> {
  return (await fixture().accept(tenant, copies(count))).map(({ messageId }) => messageId);
}

const isClaimed = (id: MessageId | undefined, attempts = 1) => ({ kind: 'claimed', message: { id, attempts } });

describe('a pace that changes while a message is claimed', () => {
  async function paced(isKnown: boolean): Promise<Tenant> {
    const tenant = await fixture().tenant();
    await changeDevice(fixture().database, sealer, tenant.accountId, tenant.deviceId, { pacePerMinute: 1 });
    if (isKnown)
      await fixture().query(`INSERT INTO device_pace VALUES ($1, now() - interval '1 s')`, [tenant.deviceId]);
    await accept(tenant, 1);
    return tenant;
  }
  const toFaster =
    ({ accountId, deviceId }: Tenant): Work<unknown> =>
    (database) =>
      changeDevice(database, sealer, accountId, deviceId, { pacePerMinute: 60 });

  test.each([
    ['before the claim is committed, of a device that was paced before', true, true],
    ['before the claim is committed, of a device that sends for the first time', false, true],
    ['just before it, of a device that was paced before', true, false],
    ['just before it, of a device that sends for the first time', false, false],
  ])('counts once the claim has ended and the worker has called capPace: %s', async (_when, isKnown, isClaimFirst) => {
    const tenant = await paced(isKnown);
    const claiming: Work<unknown> = (database) =>
      createClaimer(database, fixture().accountKeys).submit({ ...tenant.holder, lastTry: '' });
    await (isClaimFirst ? cross(claiming, toFaster(tenant)) : cross(toFaster(tenant), claiming));
    await capPace(fixture().database, tenant.deviceId);
    const [row] = await fixture().query<{ ms: number }>(
      `SELECT (extract(epoch FROM next_send_at - now()) * 1000)::float8 AS ms FROM device_pace WHERE device_id = $1`,
      [tenant.deviceId],
    );
    // The stored time is rounded to a millisecond.
    expect(present(row).ms).toBeLessThanOrEqual(1_001);
  });
});

describe('a device with a message that another transaction begins to send', () => {
  /** A later claim that Postgres runs late: it has taken the second message and now commits or rolls back. */
  async function overtaken(end: 'COMMIT' | 'ROLLBACK', holders: readonly Tenant[]) {
    const [tenant] = holders;
    const [, second] = await accept(present(tenant), 2);
    const client = await fixture().database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = $1`, [second]);
      const claimer = createClaimer(fixture().database, fixture().accountKeys);
      const one = claimer.submit({ ...present(tenant).holder, lastTry: '' });
      const others = holders.slice(1).map(({ holder }) => claimer.submit({ ...holder, lastTry: '' }));
      await waitUntil(() => fixture().waitsForLock(), { what: 'the claim waits for the device' });
      await client.query(end);
      return { second: present(second), outcomes: await Promise.all([one, ...others]) };
    } finally {
      client.release(true);
    }
  }

  test('is busy, and its next claim finds that message', async () => {
    const tenant = await fixture().tenant();
    const { second, outcomes } = await overtaken('COMMIT', [tenant]);
    expect(outcomes).toEqual([{ kind: 'busy' }]);
    expect(await fixture().claim(tenant.holder, { lastTry: `${second}#1` })).toMatchObject(isClaimed(second, 2));
  });

  test('is claimed as usual when the other transaction rolls back', async () => {
    const tenant = await fixture().tenant();
    const { outcomes } = await overtaken('ROLLBACK', [tenant]);
    expect(outcomes).toMatchObject([{ kind: 'claimed' }]);
  });

  test('does not disturb claims of other devices in the same statement', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => fixture().tenant()));
    const ids = await Promise.all(tenants.slice(1).map((tenant) => accept(tenant, 1)));
    const { second, outcomes } = await overtaken('COMMIT', tenants);
    // Each claim of a refused batch runs again alone, and then sees the standing message.
    expect(outcomes).toMatchObject([isClaimed(second), ...ids.map(([id]) => isClaimed(id))]);
    const standing = await fixture().query(`SELECT id FROM messages WHERE device_id = $1 AND stage = 1`, [
      present(tenants[0]).deviceId,
    ]);
    expect(standing).toEqual([{ id: second }]);
  });
});
