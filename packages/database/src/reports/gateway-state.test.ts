import { beforeEach, describe, expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { explained, rowsRead } from '../../test/explained.js';
import { readGatewayState } from './gateway-state.js';

const fixture = useDatabaseFixture();
const read = () => readGatewayState(fixture().database);

test('without anything, there is nothing', async () => {
  expect(await read()).toMatchObject({
    queue: [],
    oldest: [],
    devices: [],
    devicesWanted: 0,
    workers: 0,
    capacity: 0,
    webhooks: [],
    retries: [],
    broadcasts: [],
    oldestTransactionSeconds: 0,
  });
});

describe('with messages', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    await fixture().query('DELETE FROM messages');
    tenant = await fixture().tenant({ quota: null });
  });

  test('those in a lane and those that wait are counted, and ended ones are not', async () => {
    const accepted = await fixture().accept(tenant, [
      { priority: 'otp', ttlSeconds: 600 },
      { priority: 'bulk' },
      { priority: 'bulk' },
      { priority: 'bulk', sendAt: new Date(Date.now() + 3_600_000) },
      { priority: 'normal' },
    ]);
    await fixture().query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [present(accepted[4]).messageId]);
    const { queue } = await read();
    expect(queue.toSorted((a, b) => a.priority - b.priority)).toEqual([
      { priority: 0, place: 'lane', messages: 1 },
      { priority: 2, place: 'lane', messages: 2 },
      { priority: 2, place: 'waits', messages: 1 },
    ]);
  });

  test('the oldest is the first in the lane of a connected device', async () => {
    await fixture().accept(tenant, [{ priority: 'otp', ttlSeconds: 600 }, { priority: 'bulk' }]);
    await fixture().query(`UPDATE messages SET created_at = now() - interval '40 s' WHERE priority = 0`);
    const { oldest } = await read();
    const secondsOf = (rank: number) => oldest.find(({ priority }) => priority === rank)?.seconds;
    expect(secondsOf(0)).toBeGreaterThanOrEqual(40);
    expect(secondsOf(0)).toBeLessThan(100);
    expect(secondsOf(1)).toBeUndefined();
    expect(secondsOf(2)).toBeLessThan(60);
    await fixture().query(`UPDATE devices SET state = 'disconnected'`);
    expect((await read()).oldest).toEqual([]);
  });

  test('a scheduled message is as old as its time', async () => {
    await fixture().accept(tenant, [{ priority: 'normal', sendAt: new Date(Date.now() + 3_600_000) }]);
    await fixture().query(
      `UPDATE messages SET waits_until = NULL, send_at = now() - interval '5 s', created_at = now() - interval '1 h'`,
    );
    expect(present((await read()).oldest[0]).seconds).toBeLessThan(600);
  });
});

test('a transaction that writes has an age, and one that reads has none', async () => {
  const client = await fixture().database.pool.connect();
  try {
    await client.query('BEGIN; SELECT count(*) FROM accounts');
    expect((await read()).oldestTransactionSeconds).toBe(0);
    await client.query(`INSERT INTO accounts (id, name) VALUES ('acc_open', 'open')`);
    expect((await read()).oldestTransactionSeconds).toBeGreaterThan(0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('with 20,000 ended messages, only those that wait are read', async () => {
  const tenant = await fixture().tenant({ quota: null });
  const [first] = await fixture().accept(tenant, [{}]);
  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id,
                           attempts, status, created_at, event_count)
     SELECT 'msg_' || n, account_id, device_id, key_id, request_id, priority, '6281' || n, body, 'N' || n, 1, 'read', now(), 1
     FROM messages, generate_series(1000000, 1019999) n WHERE id = $1`,
    [present(first).messageId],
  );
  await fixture().query('ANALYZE messages');
  const plans = await explained(fixture().database, 'messages', read);
  const scans = plans.flat().filter((node) => node['Relation Name'] === 'messages');
  expect(scans.length).toBeGreaterThanOrEqual(3);
  expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(rowsRead(scans)).toBeLessThan(100);
});
